"""From results/ to figures, tables, the site and the notebooks; nothing here runs a device."""
