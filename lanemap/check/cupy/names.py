"""The names of CuPy 14: which NumPy serves, and which are refused."""

#: Of `cupy`, with the meaning that they have in NumPy.
ROUTINES = frozenset(
    """
    abs absolute acos acosh add all allclose amax amin angle any append apply_along_axis
    apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin
    argpartition argsort argwhere around array array2string array_equal array_equiv array_repr
    array_split array_str asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray
    asin asinh astype atan atan2 atanh atleast_1d atleast_2d atleast_3d average bartlett
    base_repr binary_repr bincount bitwise_and bitwise_count bitwise_invert bitwise_left_shift
    bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman bool bool_ broadcast_arrays
    broadcast_shapes broadcast_to byte c_ can_cast cbrt cdouble ceil choose clip column_stack
    common_type complex128 complex64 complexfloating compress concat concatenate conj conjugate
    convolve copy copysign copyto corrcoef correlate cos cosh count_nonzero cov cross csingle
    cumprod cumsum cumulative_prod cumulative_sum deg2rad degrees delete diag diag_indices
    diag_indices_from diagflat diagonal diff digitize divide divmod dot double dsplit dstack
    dtype dtypes e ediff1d einsum empty empty_like equal euler_gamma exp exp2 expand_dims expm1
    extract eye fabs fill_diagonal finfo fix flatnonzero flip fliplr flipud float16 float32
    float64 float_power floating floor floor_divide fmax fmin fmod format_float_positional
    format_float_scientific frexp from_dlpack frombuffer fromfile fromfunction fromiter
    fromstring full full_like gcd generic genfromtxt get_printoptions gradient greater
    greater_equal half hamming hanning heaviside histogram histogram2d histogramdd hsplit hstack
    hypot i0 identity iinfo imag index_exp indices inexact inf inner int16 int32 int64 int8 int_
    intc integer interp intersect1d intp invert isclose iscomplex iscomplexobj isdtype isfinite
    isfortran isin isinf isnan isneginf isposinf isreal isrealobj isscalar issubdtype iterable
    ix_ kaiser kron lcm ldexp left_shift less less_equal lexsort linspace load loadtxt log log10
    log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace long
    longlong mask_indices matmul matrix_transpose max maximum may_share_memory mean median
    meshgrid mgrid min min_scalar_type minimum mintypecode mod modf moveaxis multiply nan
    nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanprod
    nanstd nansum nanvar ndim ndindex negative newaxis nextafter nonzero not_equal number ogrid
    ones ones_like outer packbits pad partition percentile permute_dims pi piecewise place poly
    polyadd polyfit polymul polysub polyval positive pow power printoptions prod promote_types
    ptp put put_along_axis putmask quantile r_ rad2deg radians ravel ravel_multi_index real
    real_if_close reciprocal remainder repeat require reshape resize result_type right_shift
    rint roll rollaxis roots rot90 round row_stack s_ save savetxt savez savez_compressed
    searchsorted select set_printoptions setdiff1d setxor1d shape shares_memory short sign
    signbit signedinteger sin sinc single sinh size sort sort_complex split sqrt square squeeze
    stack std subtract sum swapaxes take take_along_axis tan tanh tensordot tile trace transpose
    trapezoid tri tril tril_indices tril_indices_from trim_zeros triu triu_indices
    triu_indices_from true_divide trunc typename ubyte uint uint16 uint32 uint64 uint8 uintc
    uintp ulong ulonglong union1d unique unique_all unique_counts unique_inverse unique_values
    unpackbits unravel_index unsignedinteger unwrap ushort vander var vdot vsplit vstack where
    zeros zeros_like
    """.split()
)

#: Of `cupy`, and refused: NumPy 2 has none of them, or they need a GPU.
REFUSED = frozenset(
    """
    DataSource Inf Infinity NAN NINF NZERO NaN PINF PZERO alltrue asfarray broadcast byte_bounds
    cfloat complex_ cumproduct default_float_dtype disable_experimental_feature_warning
    find_common_type flatiter float_ format_parser fromDlpack in1d infty issctype issubclass_
    issubsctype make_aligned_dtype msort obj2sctype poly1d round_ safe_eval sctype2char
    set_string_function singlecomplex sometrue trapz ufunc who
    """.split()
)

#: Of `cupy.linalg`.
LINALG = frozenset(
    """
    LinAlgError cholesky cond cross det eig eigh eigvals eigvalsh inv lstsq matmul matrix_power
    matrix_rank matrix_transpose norm pinv qr slogdet solve svd tensorinv tensorsolve
    """.split()
)

#: Of `cupy.fft`.
FFT = frozenset(
    """
    fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn
    rfft rfft2 rfftfreq rfftn
    """.split()
)

#: Of `cupy.random`.
RANDOM = frozenset(
    """
    beta binomial bytes chisquare choice dirichlet exponential f gamma geometric gumbel
    hypergeometric laplace logistic lognormal logseries multinomial multivariate_normal
    negative_binomial noncentral_chisquare noncentral_f normal pareto permutation poisson power
    rand randint randn random random_sample ranf rayleigh sample shuffle standard_cauchy
    standard_exponential standard_gamma standard_normal standard_t triangular uniform vonmises
    wald weibull zipf
    """.split()
)

#: Methods of `cupy.ndarray` with the meaning that they have in NumPy; those below change it.
METHODS = frozenset(
    """
    all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy
    cumprod cumsum diagonal dot dump dumps fill flatten max mean min nonzero partition prod put
    ravel repeat reshape round searchsorted sort squeeze std sum swapaxes take tobytes tofile
    tolist trace transpose var view
    """.split()
)
IN_PLACE = frozenset("fill partition put sort".split())
#: Functions that write their first argument, and read it if they leave some of it alone.
WRITERS = frozenset("copyto fill_diagonal place put put_along_axis putmask shuffle".split())
#: Functions and methods that touch no element: they return a view, a shape or new memory.
SHAPE_ONLY = frozenset(
    """
    array_split atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_to diagonal dsplit
    empty_like expand_dims flip fliplr flipud full_like hsplit imag iscomplexobj isfortran
    isrealobj matrix_transpose may_share_memory moveaxis ndim ones_like permute_dims real
    result_type rollaxis rot90 shape shares_memory size split squeeze swapaxes transpose view
    vsplit zeros_like
    """.split()
)
#: They return memory that nothing has written.
EMPTY = frozenset("empty empty_like".split())
#: They copy elements one by one: copies of undefined elements are undefined.
COPIES = frozenset(
    """
    array asanyarray asarray ascontiguousarray asfortranarray astype copy flatten ravel reshape
    """.split()
)
#: They take arrays of the host to the device.
FROM_HOST = frozenset(
    """
    array asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray copyto
    from_dlpack frombuffer
    """.split()
)
#: Their results are values of Python, in CuPy too.
PLAIN = frozenset(
    """
    array2string array_repr array_str base_repr binary_repr broadcast_shapes can_cast
    common_type format_float_positional format_float_scientific get_printoptions iscomplexobj
    isdtype isfortran isrealobj isscalar issubdtype iterable may_share_memory min_scalar_type
    mintypecode ndim promote_types result_type save savetxt savez savez_compressed
    set_printoptions shape shares_memory size typename
    """.split()
)
