%struct.Access = type { ptr, i32, i32, i32, i32, [2 x i64], ptr }
%struct.Memory = type { i64, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i32, i32, i32, i32 }
%struct.HazardRecord = type { i32, i32, i32, i32, i64, i64, i64, i64, [4 x i64], i32, i32, i32, i32, i32, i32, i32, i32 }
%struct.Origin = type { i32, i32, i32, i32, i64, i64, i32, i32 }
%struct.Range = type { i64, i32, i32, i32, ptr, ptr, ptr, ptr }
%struct.Touch = type { ptr, ptr, i64, i64, i64, i32, i32, i32, i32, i32 }
%struct.Race = type { i64, i64, i64, i64, %struct.HazardRecord }
%struct.Line = type { i64, i64 }
%struct.Exchange = type { [2 x i64], [2 x i64], [2 x i64], [2 x i64], i32, i32, i32, i32 }
%struct.Placed = type { i32, i32 }
%struct.Outstanding = type { i32, i32, i32, i32, i64, i32, i32 }
%struct.Panel = type { i32, i32, i32, i32, [1024 x i32], [1024 x i32], [1024 x i32], [48 x i8], [16384 x double], [16384 x float], [16384 x i32], [16384 x i16], [1024 x float], [1024 x i32], [1024 x i32] }
%struct.Operand = type { %struct.View, ptr, i32, i32, i32, i32 }
%struct.View = type { ptr, ptr, i32, i32, i32, i32 }
%struct.SumRule = type { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 }
%struct.Mbarrier = type { i64, i64, i32, i32, i32, i32 }
%struct.Lanes = type { i32, i32, i32, i32 }
%struct.Buffer = type { [2048 x i8], [2048 x i8], [2048 x i32] }
%struct.u256 = type { [4 x i64] }
%struct.Number = type { i32, i32, i32, %struct.u256, i32 }
%struct.Segment = type { ptr, i64 }
%struct.SegmentWord = type { i64, i64 }
%struct.Barrier = type { i32, i32, i32, i32, i32, i32 }
%struct.Kept = type { [32 x i32], [32 x i32], [32 x i32] }
%struct.TensorUnit = type { i64, i64, i32, i32, i32, i32 }
%struct.Moved = type { [32768 x i8], [32768 x i8], [32768 x i32] }
%struct.Table = type { i32, i32, i32, ptr, ptr, ptr }

@__const.lm_matrix.start = private unnamed_addr constant [4 x i32] [i32 0, i32 8, i32 16, i32 70], align 16
@nowhere = internal global [512 x i8] zeroinitializer, align 64
@NODE_SIZE = internal unnamed_addr constant [3 x i32] [i32 128, i32 512, i32 64], align 4
@switch.table.pack.2 = private unnamed_addr constant [13 x i32] [i32 -14, i32 -126, i32 -6, i32 -14, i32 0, i32 -2, i32 0, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -6], align 4
@switch.table.format_bits = private unnamed_addr constant [4 x i32] [i32 8, i32 64, i32 8, i32 8], align 4

define void @begin_access(ptr dead_on_unwind noalias writable writeonly sret(%struct.Access) align 8 captures(none) initializes((0, 48)) %0, ptr noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = icmp eq i32 %3, 0
  %8 = and i32 %4, 11
  %9 = icmp eq i32 %8, 9
  %10 = and i1 %7, %9
  br i1 %10, label %23, label %11

11:
  switch i32 %3, label %16 [
    i32 3, label %12
    i32 0, label %12
  ]

12:
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 208
  %14 = load i64, ptr %13, align 8
  %15 = add i64 %14, 1
  store i64 %15, ptr %13, align 8
  br label %16

16:
  %17 = and i32 %3, -3
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %23, label %19

19:
  %20 = getelementptr inbounds nuw i8, ptr %1, i64 216
  %21 = load i64, ptr %20, align 8
  %22 = add i64 %21, 1
  store i64 %22, ptr %20, align 8
  br label %23

23:
  store ptr %1, ptr %0, align 8
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i32 %2, ptr %24, align 8
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 12
  store i32 %3, ptr %25, align 4
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store i32 %4, ptr %26, align 8
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 20
  store i32 %5, ptr %27, align 4
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 208
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 28
  %32 = load i32, ptr %31, align 4
  %33 = zext i32 %32 to i64
  %34 = shl nuw nsw i64 %33, 28
  %35 = load ptr, ptr %1, align 8
  %36 = load i64, ptr %35, align 8
  %37 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %38 = load ptr, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 88
  %40 = load i64, ptr %39, align 8
  %41 = sub i64 %36, %40
  %42 = shl i64 %41, 37
  %43 = or i64 %34, %30
  %44 = or i64 %43, %42
  store i64 %44, ptr %28, align 8
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %46 = getelementptr inbounds nuw i8, ptr %1, i64 216
  %47 = load i64, ptr %46, align 8
  %48 = or i64 %34, %47
  %49 = or i64 %48, %42
  %50 = or i64 %49, 288230376151711744
  store i64 %50, ptr %45, align 8
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 40
  store ptr null, ptr %51, align 8
  %52 = getelementptr inbounds nuw i8, ptr %38, i64 528
  %53 = load ptr, ptr %52, align 8
  %54 = icmp eq ptr %53, null
  br i1 %54, label %89, label %55

55:
  switch i32 %3, label %71 [
    i32 3, label %56
    i32 0, label %56
  ]

56:
  %57 = getelementptr inbounds nuw i8, ptr %53, i64 16
  %58 = load ptr, ptr %57, align 8
  %59 = load i64, ptr %53, align 8
  %60 = getelementptr inbounds nuw i8, ptr %53, i64 8
  %61 = load i64, ptr %60, align 8
  %62 = urem i64 %59, %61
  %63 = getelementptr inbounds nuw i64, ptr %58, i64 %62
  store i64 %44, ptr %63, align 8
  %64 = getelementptr inbounds nuw i8, ptr %53, i64 24
  %65 = load ptr, ptr %64, align 8
  %66 = load i64, ptr %53, align 8
  %67 = add i64 %66, 1
  store i64 %67, ptr %53, align 8
  %68 = load i64, ptr %60, align 8
  %69 = urem i64 %66, %68
  %70 = getelementptr inbounds nuw i32, ptr %65, i64 %69
  store i32 %2, ptr %70, align 4
  br label %71

71:
  %72 = and i32 %3, -3
  %73 = icmp eq i32 %72, 0
  br i1 %73, label %89, label %74

74:
  %75 = getelementptr inbounds nuw i8, ptr %53, i64 16
  %76 = load ptr, ptr %75, align 8
  %77 = load i64, ptr %53, align 8
  %78 = getelementptr inbounds nuw i8, ptr %53, i64 8
  %79 = load i64, ptr %78, align 8
  %80 = urem i64 %77, %79
  %81 = getelementptr inbounds nuw i64, ptr %76, i64 %80
  store i64 %50, ptr %81, align 8
  %82 = getelementptr inbounds nuw i8, ptr %53, i64 24
  %83 = load ptr, ptr %82, align 8
  %84 = load i64, ptr %53, align 8
  %85 = add i64 %84, 1
  store i64 %85, ptr %53, align 8
  %86 = load i64, ptr %78, align 8
  %87 = urem i64 %84, %86
  %88 = getelementptr inbounds nuw i32, ptr %83, i64 %87
  store i32 %2, ptr %88, align 4
  br label %89

89:
  ret void
}

define void @log_access(ptr noundef readonly captures(none) %0, i64 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 528
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = load i64, ptr %7, align 8
  %11 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = urem i64 %10, %12
  %14 = getelementptr inbounds nuw i64, ptr %9, i64 %13
  store i64 %1, ptr %14, align 8
  %15 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %16 = load ptr, ptr %15, align 8
  %17 = load i64, ptr %7, align 8
  %18 = add i64 %17, 1
  store i64 %18, ptr %7, align 8
  %19 = load i64, ptr %11, align 8
  %20 = urem i64 %17, %19
  %21 = getelementptr inbounds nuw i32, ptr %16, i64 %20
  store i32 %2, ptr %21, align 4
  ret void
}

define ptr @memory_at(ptr noundef captures(ret: address, provenance) %0, i32 noundef %1, i64 noundef %2, i64 noundef %3, ptr noundef writeonly captures(none) %4) local_unnamed_addr {
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  switch i32 %1, label %85 [
    i32 3, label %8
    i32 0, label %20
    i32 2, label %63
    i32 4, label %67
  ]

8:
  %9 = lshr i64 %2, 32
  %10 = getelementptr inbounds nuw i8, ptr %7, i64 112
  %11 = load i64, ptr %10, align 8
  %12 = icmp eq i64 %9, %11
  br i1 %12, label %13, label %15

13:
  %14 = and i64 %2, 4294967295
  br label %67

15:
  %16 = getelementptr inbounds nuw i8, ptr %7, i64 120
  %17 = load i64, ptr %16, align 8
  %18 = icmp eq i64 %9, %17
  %19 = and i64 %2, 4294967295
  br i1 %18, label %63, label %20

20:
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %22 = load i64, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %24 = load i64, ptr %23, align 8
  %25 = icmp ult i64 %22, %24
  br i1 %25, label %26, label %34

26:
  %27 = load ptr, ptr %7, align 8
  %28 = getelementptr inbounds nuw %struct.Memory, ptr %27, i64 %22
  %29 = load i64, ptr %28, align 8
  %30 = sub i64 %2, %29
  %31 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %32 = load i64, ptr %31, align 8
  %33 = icmp ult i64 %30, %32
  br i1 %33, label %81, label %38

34:
  %35 = icmp eq i64 %24, 0
  br i1 %35, label %102, label %36

36:
  %37 = load ptr, ptr %7, align 8
  br label %38

38:
  %39 = phi ptr [ %37, %36 ], [ %27, %26 ]
  br label %40

40:
  %41 = phi i64 [ %24, %38 ], [ %50, %40 ]
  %42 = phi i64 [ 0, %38 ], [ %49, %40 ]
  %43 = add i64 %42, %41
  %44 = lshr i64 %43, 1
  %45 = getelementptr inbounds nuw %struct.Memory, ptr %39, i64 %44
  %46 = load i64, ptr %45, align 8
  %47 = icmp ugt i64 %46, %2
  %48 = add nuw i64 %44, 1
  %49 = select i1 %47, i64 %42, i64 %48
  %50 = select i1 %47, i64 %44, i64 %41
  %51 = icmp ult i64 %49, %50
  br i1 %51, label %40, label %52

52:
  %53 = icmp eq i64 %49, 0
  br i1 %53, label %102, label %54

54:
  %55 = add i64 %49, -1
  %56 = getelementptr inbounds nuw %struct.Memory, ptr %39, i64 %55
  %57 = load i64, ptr %56, align 8
  %58 = sub i64 %2, %57
  %59 = getelementptr inbounds nuw i8, ptr %56, i64 8
  %60 = load i64, ptr %59, align 8
  %61 = icmp ult i64 %58, %60
  br i1 %61, label %62, label %102

62:
  store i64 %55, ptr %21, align 8
  br label %81

63:
  %64 = phi i64 [ %2, %5 ], [ %19, %15 ]
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %66 = getelementptr inbounds nuw i8, ptr %0, i64 136
  br label %90

67:
  %68 = phi i64 [ %14, %13 ], [ %2, %5 ]
  %69 = lshr i64 %68, 24
  %70 = load ptr, ptr %0, align 8
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 12
  %72 = load i32, ptr %71, align 4
  %73 = zext i32 %72 to i64
  %74 = icmp samesign ult i64 %69, %73
  br i1 %74, label %75, label %102

75:
  %76 = getelementptr inbounds nuw i8, ptr %70, i64 24
  %77 = load ptr, ptr %76, align 8
  %78 = getelementptr inbounds nuw ptr, ptr %77, i64 %69
  %79 = load ptr, ptr %78, align 8
  %80 = getelementptr inbounds nuw i8, ptr %79, i64 24
  br label %81

81:
  %82 = phi i64 [ %68, %75 ], [ %2, %26 ], [ %2, %62 ]
  %83 = phi ptr [ %80, %75 ], [ %28, %26 ], [ %56, %62 ]
  %84 = getelementptr inbounds nuw i8, ptr %83, i64 8
  br label %90

85:
  %86 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %87 = load ptr, ptr %86, align 8
  %88 = getelementptr inbounds nuw i8, ptr %87, i64 24
  %89 = getelementptr inbounds nuw i8, ptr %87, i64 32
  br label %90

90:
  %91 = phi ptr [ %83, %81 ], [ %88, %85 ], [ %65, %63 ]
  %92 = phi i64 [ %82, %81 ], [ %2, %85 ], [ %64, %63 ]
  %93 = phi ptr [ %84, %81 ], [ %89, %85 ], [ %66, %63 ]
  %94 = load i64, ptr %93, align 8
  %95 = load i64, ptr %91, align 8
  %96 = sub i64 %92, %95
  store i64 %96, ptr %4, align 8
  %97 = icmp ugt i64 %96, %94
  %98 = sub nuw i64 %94, %96
  %99 = icmp ugt i64 %3, %98
  %100 = select i1 %97, i1 true, i1 %99
  %101 = select i1 %100, ptr null, ptr %91
  br label %102

102:
  %103 = phi ptr [ %101, %90 ], [ null, %67 ], [ null, %54 ], [ null, %52 ], [ null, %34 ]
  ret ptr %103
}

declare void @llvm.lifetime.start.p0(ptr captures(none))

declare void @llvm.lifetime.end.p0(ptr captures(none))

define void @out_of_bounds(ptr noundef readonly captures(none) %0, i32 noundef %1, i64 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load i32, ptr %6, align 8
  %8 = zext nneg i32 %1 to i64
  %9 = shl nuw i64 1, %8
  %10 = tail call ptr @lm_hazard(ptr noundef %5, i32 noundef 1, i32 noundef %7, i64 noundef %9)
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %12 = load i32, ptr %11, align 4
  %13 = getelementptr inbounds nuw i8, ptr %10, i64 84
  store i32 %12, ptr %13, align 4
  %14 = getelementptr inbounds nuw i8, ptr %10, i64 32
  store i64 %2, ptr %14, align 8
  %15 = getelementptr inbounds nuw i8, ptr %10, i64 40
  store i64 %3, ptr %15, align 8
  %16 = load ptr, ptr %0, align 8
  %17 = load ptr, ptr %16, align 8
  %18 = getelementptr inbounds nuw i8, ptr %17, i64 12
  %19 = load i32, ptr %18, align 4
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds nuw i8, ptr %10, i64 48
  store i64 %20, ptr %21, align 8
  %22 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %23 = load ptr, ptr %22, align 8
  %24 = getelementptr inbounds nuw i8, ptr %23, i64 8
  %25 = load i32, ptr %24, align 8
  %26 = zext i32 %25 to i64
  %27 = getelementptr inbounds nuw i8, ptr %10, i64 56
  store i64 %26, ptr %27, align 8
  ret void
}

define ptr @lm_hazard(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %8 = load i32, ptr %7, align 8
  %9 = icmp eq i32 %8, 2
  br i1 %9, label %10, label %12

10:
  %11 = getelementptr inbounds nuw i8, ptr %6, i64 288
  br label %97

12:
  %13 = getelementptr inbounds nuw i8, ptr %6, i64 104
  %14 = load i32, ptr %13, align 8
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %34

16:
  %17 = getelementptr inbounds nuw i8, ptr %6, i64 520
  %18 = load ptr, ptr %17, align 8
  %19 = icmp eq ptr %18, null
  br i1 %19, label %27, label %20

20:
  %21 = getelementptr inbounds nuw i8, ptr %18, i64 16
  %22 = load i64, ptr %21, align 8
  %23 = icmp eq i64 %22, 0
  %24 = select i1 %23, i32 1, i32 2
  store i32 %24, ptr %7, align 8
  br i1 %23, label %28, label %25

25:
  %26 = getelementptr inbounds nuw i8, ptr %6, i64 288
  br label %97

27:
  store i32 1, ptr %7, align 8
  br label %28

28:
  %29 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %30 = load i64, ptr %29, align 8
  %31 = icmp eq i64 %30, 0
  br i1 %31, label %58, label %32

32:
  %33 = getelementptr inbounds nuw i8, ptr %6, i64 288
  br label %97

34:
  %35 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %36 = load i64, ptr %35, align 8
  %37 = icmp eq i64 %36, 0
  br i1 %37, label %58, label %38

38:
  %39 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %40 = load ptr, ptr %39, align 8
  br label %41

41:
  %42 = phi i64 [ 0, %38 ], [ %56, %55 ]
  %43 = getelementptr inbounds nuw %struct.HazardRecord, ptr %40, i64 %42
  %44 = load i32, ptr %43, align 8
  %45 = icmp eq i32 %44, %1
  br i1 %45, label %46, label %55

46:
  %47 = getelementptr inbounds nuw i8, ptr %43, i64 4
  %48 = load i32, ptr %47, align 4
  %49 = icmp eq i32 %48, %2
  br i1 %49, label %50, label %55

50:
  %51 = getelementptr inbounds nuw i8, ptr %43, i64 88
  %52 = load i32, ptr %51, align 8
  %53 = add i32 %52, 1
  store i32 %53, ptr %51, align 8
  %54 = getelementptr inbounds nuw i8, ptr %6, i64 288
  br label %97

55:
  %56 = add nuw i64 %42, 1
  %57 = icmp eq i64 %56, %36
  br i1 %57, label %58, label %41

58:
  %59 = phi i64 [ 0, %28 ], [ 0, %34 ], [ %36, %55 ]
  %60 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %61 = load i64, ptr %60, align 8
  %62 = icmp eq i64 %59, %61
  br i1 %62, label %63, label %65

63:
  %64 = getelementptr inbounds nuw i8, ptr %6, i64 288
  br label %97

65:
  %66 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %67 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %68 = load ptr, ptr %67, align 8
  %69 = add i64 %59, 1
  store i64 %69, ptr %66, align 8
  %70 = getelementptr inbounds nuw %struct.HazardRecord, ptr %68, i64 %59
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(104) %71, i8 0, i64 104, i1 false)
  store i32 %1, ptr %70, align 8
  %72 = getelementptr inbounds nuw i8, ptr %70, i64 4
  store i32 %2, ptr %72, align 4
  %73 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %74 = load i32, ptr %73, align 4
  %75 = getelementptr inbounds nuw i8, ptr %70, i64 8
  store i32 %74, ptr %75, align 8
  %76 = load ptr, ptr %0, align 8
  %77 = load i64, ptr %76, align 8
  %78 = getelementptr inbounds nuw i8, ptr %6, i64 88
  %79 = load i64, ptr %78, align 8
  %80 = sub i64 %77, %79
  %81 = getelementptr inbounds nuw i8, ptr %70, i64 16
  store i64 %80, ptr %81, align 8
  %82 = getelementptr inbounds nuw i8, ptr %70, i64 24
  store i64 %3, ptr %82, align 8
  br label %83

83:
  %84 = phi i64 [ 0, %65 ], [ %89, %88 ]
  %85 = shl nuw nsw i64 1, %84
  %86 = and i64 %85, %3
  %87 = icmp eq i64 %86, 0
  br i1 %87, label %88, label %91

88:
  %89 = add nuw nsw i64 %84, 1
  %90 = icmp eq i64 %89, 63
  br i1 %90, label %93, label %83

91:
  %92 = trunc nuw nsw i64 %84 to i32
  br label %93

93:
  %94 = phi i32 [ %92, %91 ], [ 63, %88 ]
  %95 = getelementptr inbounds nuw i8, ptr %70, i64 92
  store i32 %94, ptr %95, align 4
  %96 = getelementptr inbounds nuw i8, ptr %70, i64 88
  store i32 1, ptr %96, align 8
  br label %97

97:
  %98 = phi ptr [ %11, %10 ], [ %64, %63 ], [ %70, %93 ], [ %54, %50 ], [ %26, %25 ], [ %33, %32 ]
  ret ptr %98
}

define void @misaligned(ptr noundef readonly captures(none) %0, i32 noundef %1, i64 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load i32, ptr %6, align 8
  %8 = zext nneg i32 %1 to i64
  %9 = shl nuw i64 1, %8
  %10 = tail call ptr @lm_hazard(ptr noundef %5, i32 noundef 2, i32 noundef %7, i64 noundef %9)
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %12 = load i32, ptr %11, align 4
  %13 = getelementptr inbounds nuw i8, ptr %10, i64 84
  store i32 %12, ptr %13, align 4
  %14 = getelementptr inbounds nuw i8, ptr %10, i64 32
  store i64 %2, ptr %14, align 8
  %15 = getelementptr inbounds nuw i8, ptr %10, i64 40
  store i64 %3, ptr %15, align 8
  ret void
}

define void @undefine(ptr noundef readonly captures(none) %0, i32 noundef %1, ptr noundef %2, i64 noundef %3, i64 noundef %4) local_unnamed_addr {
  %6 = add i64 %4, %3
  %7 = icmp ult i64 %3, %6
  br i1 %7, label %8, label %17

8:
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = getelementptr inbounds nuw i8, ptr %2, i64 84
  %11 = getelementptr inbounds nuw i8, ptr %2, i64 56
  %12 = getelementptr inbounds nuw i8, ptr %2, i64 80
  %13 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %14 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %15 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %16 = getelementptr inbounds nuw i8, ptr %2, i64 40
  br label %18

17:
  ret void

18:
  %19 = phi i64 [ %3, %8 ], [ %107, %106 ]
  %20 = load ptr, ptr %0, align 8
  %21 = load i32, ptr %9, align 8
  %22 = load i32, ptr %10, align 4
  %23 = load i64, ptr %2, align 8
  %24 = add i64 %23, %19
  %25 = tail call i32 @lm_origin(ptr noundef %20, i32 noundef 4, i32 noundef %21, i32 noundef %1, i32 noundef %22, i64 noundef %24)
  %26 = lshr i64 %19, 12
  %27 = load ptr, ptr %11, align 8
  %28 = getelementptr inbounds nuw i32, ptr %27, i64 %26
  %29 = load i32, ptr %28, align 4
  %30 = lshr i32 %29, 4
  %31 = load i32, ptr %12, align 8
  %32 = icmp ne i32 %30, %31
  %33 = and i32 %29, 4
  %34 = icmp eq i32 %33, 0
  %35 = or i1 %32, %34
  br i1 %35, label %36, label %41

36:
  %37 = load ptr, ptr %0, align 8
  tail call void @touch_page(ptr noundef %37, ptr noundef nonnull %2, i64 noundef %26, i32 noundef 1)
  %38 = load ptr, ptr %11, align 8
  %39 = getelementptr inbounds nuw i32, ptr %38, i64 %26
  %40 = load i32, ptr %39, align 4
  br label %41

41:
  %42 = phi i32 [ %29, %18 ], [ %40, %36 ]
  %43 = phi ptr [ %27, %18 ], [ %38, %36 ]
  %44 = getelementptr inbounds nuw i32, ptr %43, i64 %26
  %45 = and i32 %42, 2
  %46 = icmp eq i32 %45, 0
  %47 = load ptr, ptr %14, align 8
  br i1 %46, label %92, label %48

48:
  %49 = load i64, ptr %13, align 8
  %50 = and i64 %19, -4096
  %51 = sub i64 %49, %50
  %52 = tail call i64 @llvm.umin.i64(i64 %51, i64 4096)
  %53 = shl nuw nsw i64 %26, 6
  %54 = add i64 %50, -1
  %55 = add i64 %54, %52
  %56 = lshr i64 %55, 6
  %57 = and i64 %55, 63
  %58 = xor i64 %57, 63
  %59 = lshr i64 -1, %58
  %60 = icmp eq i64 %53, %56
  %61 = getelementptr inbounds nuw i64, ptr %47, i64 %53
  %62 = load i64, ptr %61, align 8
  br i1 %60, label %63, label %69

63:
  %64 = xor i64 %62, -1
  %65 = and i64 %59, %64
  %66 = icmp eq i64 %65, 0
  br i1 %66, label %90, label %67

67:
  %68 = or i64 %59, %62
  store i64 %68, ptr %61, align 8
  br label %90

69:
  %70 = icmp eq i64 %62, -1
  br i1 %70, label %72, label %71

71:
  store i64 -1, ptr %61, align 8
  br label %72

72:
  %73 = or disjoint i64 %53, 1
  %74 = icmp samesign ult i64 %73, %56
  br i1 %74, label %75, label %82

75:
  %76 = shl nuw nsw i64 %26, 9
  %77 = getelementptr i8, ptr %47, i64 %76
  %78 = getelementptr i8, ptr %77, i64 8
  %79 = xor i64 %53, -1
  %80 = add nsw i64 %56, %79
  %81 = shl nuw nsw i64 %80, 3
  tail call void @llvm.memset.p0.i64(ptr align 8 %78, i8 -1, i64 %81, i1 false)
  br label %82

82:
  %83 = getelementptr inbounds nuw i64, ptr %47, i64 %56
  %84 = load i64, ptr %83, align 8
  %85 = xor i64 %84, -1
  %86 = and i64 %59, %85
  %87 = icmp eq i64 %86, 0
  br i1 %87, label %90, label %88

88:
  %89 = or i64 %84, %59
  store i64 %89, ptr %83, align 8
  br label %90

90:
  %91 = and i32 %42, -3
  store i32 %91, ptr %44, align 4
  br label %92

92:
  %93 = and i64 %19, 63
  %94 = shl nuw i64 1, %93
  %95 = xor i64 %94, -1
  %96 = lshr i64 %19, 6
  %97 = getelementptr inbounds nuw i64, ptr %47, i64 %96
  %98 = load i64, ptr %97, align 8
  %99 = and i64 %98, %95
  store i64 %99, ptr %97, align 8
  %100 = load ptr, ptr %15, align 8
  %101 = icmp eq ptr %100, null
  br i1 %101, label %106, label %102

102:
  %103 = getelementptr inbounds nuw i8, ptr %100, i64 %19
  store i8 0, ptr %103, align 1
  %104 = load ptr, ptr %16, align 8
  %105 = getelementptr inbounds nuw i32, ptr %104, i64 %19
  store i32 %25, ptr %105, align 4
  br label %106

106:
  %107 = add i64 %19, 1
  %108 = icmp eq i64 %107, %6
  br i1 %108, label %17, label %18
}

define i32 @lm_origin(ptr noundef readonly captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i64 noundef %5) local_unnamed_addr {
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 40
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, null
  br i1 %11, label %49, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %8, i64 48
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %8, i64 56
  %16 = load i64, ptr %15, align 8
  %17 = icmp ult i64 %14, %16
  br i1 %17, label %26, label %18

18:
  %19 = getelementptr inbounds nuw i8, ptr %8, i64 64
  %20 = load ptr, ptr %19, align 8
  %21 = tail call i64 %20()
  %22 = icmp eq i64 %21, 0
  br i1 %22, label %49, label %23

23:
  store i64 %21, ptr %15, align 8
  %24 = load i64, ptr %13, align 8
  %25 = load ptr, ptr %9, align 8
  br label %26

26:
  %27 = phi ptr [ %25, %23 ], [ %10, %12 ]
  %28 = phi i64 [ %24, %23 ], [ %14, %12 ]
  %29 = lshr i64 %28, 12
  %30 = getelementptr inbounds nuw ptr, ptr %27, i64 %29
  %31 = load ptr, ptr %30, align 8
  %32 = and i64 %28, 4095
  %33 = getelementptr inbounds nuw %struct.Origin, ptr %31, i64 %32
  store i32 %1, ptr %33, align 8
  %34 = getelementptr inbounds nuw i8, ptr %33, i64 4
  store i32 %2, ptr %34, align 4
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %36 = load i32, ptr %35, align 4
  %37 = getelementptr inbounds nuw i8, ptr %33, i64 8
  store i32 %36, ptr %37, align 8
  %38 = getelementptr inbounds nuw i8, ptr %33, i64 12
  store i32 %3, ptr %38, align 4
  %39 = load ptr, ptr %0, align 8
  %40 = load i64, ptr %39, align 8
  %41 = getelementptr inbounds nuw i8, ptr %8, i64 88
  %42 = load i64, ptr %41, align 8
  %43 = sub i64 %40, %42
  %44 = getelementptr inbounds nuw i8, ptr %33, i64 16
  store i64 %43, ptr %44, align 8
  %45 = getelementptr inbounds nuw i8, ptr %33, i64 24
  store i64 %5, ptr %45, align 8
  %46 = getelementptr inbounds nuw i8, ptr %33, i64 32
  store i32 %4, ptr %46, align 8
  %47 = add i64 %28, 1
  store i64 %47, ptr %13, align 8
  %48 = trunc i64 %28 to i32
  br label %49

49:
  %50 = phi i32 [ %48, %26 ], [ 0, %18 ], [ 0, %6 ]
  ret i32 %50
}

define void @touch_page(ptr noundef captures(none) %0, ptr noundef %1, i64 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 416
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 4
  %10 = load i32, ptr %9, align 4
  %11 = icmp ugt i32 %10, 1
  br i1 %11, label %12, label %15

12:
  %13 = atomicrmw xchg ptr %8, i32 1 acquire, align 4
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %15, label %12

15:
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %17 = load ptr, ptr %16, align 8
  %18 = getelementptr inbounds nuw i32, ptr %17, i64 %2
  %19 = load i32, ptr %18, align 4
  %20 = and i32 %19, 15
  %21 = lshr i32 %19, 4
  %22 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %23 = load i32, ptr %22, align 8
  %24 = icmp eq i32 %21, %23
  br i1 %24, label %74, label %25

25:
  %26 = and i32 %19, 11
  %27 = getelementptr inbounds nuw i8, ptr %1, i64 84
  %28 = load i32, ptr %27, align 4
  %29 = icmp eq i32 %28, 0
  br i1 %29, label %52, label %30

30:
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %32 = load i64, ptr %31, align 8
  %33 = shl i64 %2, 12
  %34 = sub i64 %32, %33
  %35 = tail call range(i64 0, 4097) i64 @llvm.umin.i64(i64 %34, i64 4096)
  %36 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %37 = load ptr, ptr %36, align 8
  %38 = shl i64 %2, 9
  %39 = getelementptr inbounds nuw i8, ptr %37, i64 %38
  %40 = add nuw nsw i64 %35, 63
  %41 = lshr i64 %40, 3
  %42 = and i64 %41, 2040
  tail call void @llvm.memset.p0.i64(ptr align 1 %39, i8 0, i64 %42, i1 false)
  %43 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %44 = load ptr, ptr %43, align 8
  %45 = icmp eq ptr %44, null
  br i1 %45, label %52, label %46

46:
  %47 = getelementptr inbounds nuw i8, ptr %44, i64 %33
  tail call void @llvm.memset.p0.i64(ptr nonnull align 1 %47, i8 0, i64 %35, i1 false)
  %48 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %49 = load ptr, ptr %48, align 8
  %50 = getelementptr inbounds nuw i32, ptr %49, i64 %33
  %51 = shl nuw nsw i64 %35, 2
  tail call void @llvm.memset.p0.i64(ptr align 1 %50, i8 0, i64 %51, i1 false)
  br label %52

52:
  %53 = phi i32 [ %26, %25 ], [ 4, %30 ], [ 4, %46 ]
  %54 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %55 = load ptr, ptr %54, align 8
  %56 = icmp eq ptr %55, null
  br i1 %56, label %68, label %57

57:
  %58 = shl i64 %2, 9
  %59 = getelementptr inbounds nuw i8, ptr %55, i64 %58
  %60 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %61 = load i64, ptr %60, align 8
  %62 = shl i64 %2, 12
  %63 = sub i64 %61, %62
  %64 = tail call range(i64 0, 4097) i64 @llvm.umin.i64(i64 %63, i64 4096)
  %65 = add nuw nsw i64 %64, 127
  %66 = lshr i64 %65, 3
  %67 = and i64 %66, 2032
  tail call void @llvm.memset.p0.i64(ptr nonnull align 1 %59, i8 0, i64 %67, i1 false)
  br label %68

68:
  %69 = and i32 %53, 1
  %70 = icmp eq i32 %69, 0
  br i1 %70, label %71, label %72

71:
  tail call fastcc void @fill_page(ptr noundef nonnull %1, i64 noundef %2)
  br label %72

72:
  %73 = or i32 %53, 1
  br label %74

74:
  %75 = phi i32 [ %73, %72 ], [ %20, %15 ]
  %76 = icmp ne i32 %3, 0
  %77 = and i32 %75, 4
  %78 = icmp eq i32 %77, 0
  %79 = and i1 %76, %78
  br i1 %79, label %80, label %130

80:
  %81 = load ptr, ptr %5, align 8
  %82 = getelementptr inbounds nuw i8, ptr %81, i64 416
  %83 = load ptr, ptr %82, align 8
  %84 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %85 = load i64, ptr %84, align 8
  %86 = shl i64 %2, 12
  %87 = sub i64 %85, %86
  %88 = tail call range(i64 0, 4097) i64 @llvm.umin.i64(i64 %87, i64 4096)
  %89 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %90 = load ptr, ptr %89, align 8
  %91 = icmp eq ptr %90, null
  %92 = select i1 %91, i64 4640, i64 25120
  %93 = tail call ptr @malloc(i64 noundef %92)
  %94 = icmp eq ptr %93, null
  br i1 %94, label %95, label %98

95:
  %96 = getelementptr inbounds nuw i8, ptr %83, i64 16
  store i64 1, ptr %96, align 8
  %97 = getelementptr inbounds nuw i8, ptr %0, i64 184
  store i32 3, ptr %97, align 8
  br label %128

98:
  %99 = getelementptr inbounds nuw i8, ptr %83, i64 8
  %100 = load ptr, ptr %99, align 8
  store ptr %100, ptr %93, align 8
  %101 = getelementptr inbounds nuw i8, ptr %93, i64 8
  store ptr %1, ptr %101, align 8
  %102 = getelementptr inbounds nuw i8, ptr %93, i64 16
  store i64 %2, ptr %102, align 8
  %103 = getelementptr inbounds nuw i8, ptr %93, i64 24
  store i32 %75, ptr %103, align 8
  %104 = icmp ne ptr %90, null
  %105 = zext i1 %104 to i32
  %106 = getelementptr inbounds nuw i8, ptr %93, i64 28
  store i32 %105, ptr %106, align 4
  %107 = getelementptr inbounds nuw i8, ptr %93, i64 544
  %108 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %109 = load ptr, ptr %108, align 8
  %110 = getelementptr inbounds nuw i8, ptr %109, i64 %86
  tail call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %107, ptr readonly align 1 %110, i64 %88, i1 false)
  %111 = getelementptr inbounds nuw i8, ptr %93, i64 32
  %112 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %113 = load ptr, ptr %112, align 8
  %114 = shl i64 %2, 9
  %115 = getelementptr inbounds nuw i8, ptr %113, i64 %114
  %116 = add nuw nsw i64 %88, 63
  %117 = lshr i64 %116, 3
  %118 = and i64 %117, 2040
  tail call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %111, ptr readonly align 1 %115, i64 %118, i1 false)
  br i1 %91, label %127, label %119

119:
  %120 = getelementptr inbounds nuw i8, ptr %93, i64 4640
  %121 = getelementptr inbounds nuw i8, ptr %90, i64 %86
  tail call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %120, ptr nonnull readonly align 1 %121, i64 %88, i1 false)
  %122 = getelementptr inbounds nuw i8, ptr %93, i64 8736
  %123 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %124 = load ptr, ptr %123, align 8
  %125 = getelementptr inbounds nuw i32, ptr %124, i64 %86
  %126 = shl nuw nsw i64 %88, 2
  tail call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %122, ptr readonly align 1 %125, i64 %126, i1 false)
  br label %127

127:
  store ptr %93, ptr %99, align 8
  br label %128

128:
  %129 = or disjoint i32 %75, 4
  br label %130

130:
  %131 = phi i32 [ %75, %74 ], [ %129, %128 ]
  %132 = load ptr, ptr %16, align 8
  %133 = getelementptr inbounds nuw i32, ptr %132, i64 %2
  %134 = load i32, ptr %22, align 8
  %135 = shl i32 %134, 4
  %136 = or i32 %135, %131
  store atomic i32 %136, ptr %133 release, align 4
  %137 = load i32, ptr %9, align 4
  %138 = icmp ugt i32 %137, 1
  br i1 %138, label %139, label %140

139:
  store atomic i32 0, ptr %8 release, align 4
  br label %140

140:
  ret void
}

define void @read_bytes(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %2, i64 84
  %6 = load i32, ptr %5, align 4
  %7 = icmp eq i32 %6, 2
  br i1 %7, label %8, label %9

8:
  tail call void @private_move(ptr noundef %0, ptr noundef %1, ptr noundef nonnull %2, i64 noundef %3, i32 noundef 0)
  br label %28

9:
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 %3
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %16 = load i32, ptr %15, align 8
  %17 = zext i32 %16 to i64
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %11, ptr readonly align 1 %14, i64 %17, i1 false)
  %18 = load i32, ptr %15, align 8
  %19 = zext i32 %18 to i64
  %20 = tail call fastcc i32 @defined_at(ptr noundef nonnull %2, i64 noundef %3, i64 noundef %19)
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %22, label %23

22:
  tail call fastcc void @load_undefined(ptr noundef %0, ptr noundef nonnull %1, ptr noundef nonnull %2, i64 noundef %3)
  br label %28

23:
  %24 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %25 = load ptr, ptr %24, align 8
  %26 = icmp eq ptr %25, null
  br i1 %26, label %28, label %27

27:
  tail call void @llvm.memset.p0.i64(ptr nonnull align 1 %25, i8 0, i64 %19, i1 false)
  br label %28

28:
  ret void
}

define void @private_move(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef %2, i64 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = alloca %struct.Memory, align 8
  %7 = alloca %struct.Range, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(96) %6, ptr noundef nonnull align 8 dereferenceable(96) %2, i64 96, i1 false)
  %8 = getelementptr inbounds nuw i8, ptr %6, i64 84
  store i32 1, ptr %8, align 4
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %10 = load i32, ptr %9, align 8
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %24, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %14 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %15 = getelementptr inbounds nuw i8, ptr %7, i64 12
  %16 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %18 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %19 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %20 = getelementptr inbounds nuw i8, ptr %2, i64 56
  %21 = getelementptr inbounds nuw i8, ptr %2, i64 80
  %22 = icmp eq i32 %4, 0
  %23 = getelementptr inbounds nuw i8, ptr %6, i64 16
  br label %25

24:
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  ret void

25:
  %26 = phi i32 [ %10, %12 ], [ %88, %86 ]
  %27 = phi i32 [ 0, %12 ], [ %87, %86 ]
  %28 = zext i32 %27 to i64
  %29 = add i64 %3, %28
  %30 = load ptr, ptr %0, align 8
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 16
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 108
  %34 = load i32, ptr %33, align 4
  %35 = zext i32 %34 to i64
  %36 = lshr i64 %29, 2
  %37 = mul i64 %36, %35
  %38 = load i32, ptr %13, align 8
  %39 = zext i32 %38 to i64
  %40 = add i64 %37, %39
  %41 = shl i64 %40, 2
  %42 = and i64 %29, 3
  %43 = or disjoint i64 %41, %42
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %7, ptr noundef nonnull align 8 dereferenceable(56) %1, i64 56, i1 false)
  %44 = trunc nuw nsw i64 %42 to i32
  %45 = sub nuw nsw i32 4, %44
  %46 = sub nuw i32 %26, %27
  %47 = call i32 @llvm.umin.i32(i32 %45, i32 %46)
  store i64 %29, ptr %7, align 8
  store i32 %47, ptr %14, align 8
  store i32 0, ptr %15, align 4
  %48 = load ptr, ptr %16, align 8
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 %28
  store ptr %49, ptr %16, align 8
  %50 = load ptr, ptr %17, align 8
  %51 = icmp eq ptr %50, null
  br i1 %51, label %57, label %52

52:
  %53 = load ptr, ptr %18, align 8
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 %28
  store ptr %54, ptr %18, align 8
  %55 = load ptr, ptr %19, align 8
  %56 = getelementptr inbounds nuw i32, ptr %55, i64 %28
  store ptr %56, ptr %19, align 8
  br label %57

57:
  %58 = lshr i64 %41, 12
  %59 = load ptr, ptr %20, align 8
  %60 = getelementptr inbounds nuw i32, ptr %59, i64 %58
  %61 = load i32, ptr %60, align 4
  %62 = lshr i32 %61, 4
  %63 = load i32, ptr %21, align 8
  %64 = icmp ne i32 %62, %63
  %65 = and i32 %61, 4
  %66 = icmp eq i32 %65, 0
  %67 = or i1 %64, %66
  br i1 %67, label %68, label %69

68:
  call void @touch_page(ptr noundef nonnull %30, ptr noundef nonnull %2, i64 noundef %58, i32 noundef 1)
  br label %69

69:
  br i1 %22, label %71, label %70

70:
  call void @write_bytes(ptr noundef nonnull %0, ptr noundef nonnull %7, ptr noundef nonnull %6, i64 noundef %43)
  br label %86

71:
  %72 = load i32, ptr %8, align 4
  %73 = icmp eq i32 %72, 2
  br i1 %73, label %74, label %75

74:
  call void @private_move(ptr noundef nonnull %0, ptr noundef nonnull %7, ptr noundef nonnull %6, i64 noundef %43, i32 noundef 0)
  br label %86

75:
  %76 = load ptr, ptr %23, align 8
  %77 = getelementptr inbounds nuw i8, ptr %76, i64 %43
  %78 = zext nneg i32 %47 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %49, ptr readonly align 1 %77, i64 %78, i1 false)
  %79 = call fastcc i32 @defined_at(ptr noundef nonnull %6, i64 noundef %43, i64 noundef %78)
  %80 = icmp eq i32 %79, 0
  br i1 %80, label %81, label %82

81:
  call fastcc void @load_undefined(ptr noundef nonnull %0, ptr noundef nonnull %7, ptr noundef nonnull %6, i64 noundef %43)
  br label %86

82:
  %83 = load ptr, ptr %18, align 8
  %84 = icmp eq ptr %83, null
  br i1 %84, label %86, label %85

85:
  call void @llvm.memset.p0.i64(ptr nonnull align 1 %83, i8 0, i64 %78, i1 false)
  br label %86

86:
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  %87 = add i32 %47, %27
  %88 = load i32, ptr %9, align 8
  %89 = icmp ult i32 %87, %88
  br i1 %89, label %25, label %24
}

define internal fastcc range(i32 0, 2) i32 @defined_at(ptr noundef readonly captures(none) %0, i64 noundef %1, i64 noundef range(i64 0, 4294967296) %2) unnamed_addr {
  %4 = lshr i64 %1, 12
  %5 = add i64 %2, %1
  %6 = add i64 %5, -1
  %7 = lshr i64 %6, 12
  %8 = icmp eq i64 %4, %7
  br i1 %8, label %15, label %9

9:
  %10 = icmp samesign ugt i64 %4, %7
  br i1 %10, label %112, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 24
  br label %60

15:
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %17 = load ptr, ptr %16, align 8
  %18 = getelementptr inbounds nuw i32, ptr %17, i64 %4
  %19 = load i32, ptr %18, align 4
  %20 = and i32 %19, 2
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %22, label %112

22:
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %24 = load ptr, ptr %23, align 8
  %25 = lshr i64 %1, 6
  %26 = lshr i64 %6, 6
  %27 = and i64 %1, 63
  %28 = shl nsw i64 -1, %27
  %29 = and i64 %6, 63
  %30 = xor i64 %29, 63
  %31 = lshr i64 -1, %30
  %32 = icmp eq i64 %25, %26
  %33 = getelementptr inbounds nuw i64, ptr %24, i64 %25
  %34 = load i64, ptr %33, align 8
  %35 = xor i64 %34, -1
  %36 = and i64 %28, %35
  br i1 %32, label %37, label %39

37:
  %38 = and i64 %36, %31
  br label %56

39:
  %40 = getelementptr inbounds nuw i64, ptr %24, i64 %26
  %41 = load i64, ptr %40, align 8
  %42 = xor i64 %41, -1
  %43 = and i64 %31, %42
  %44 = or i64 %43, %36
  %45 = add nuw nsw i64 %25, 1
  %46 = icmp samesign ult i64 %45, %26
  br i1 %46, label %47, label %56

47:
  %48 = phi i64 [ %54, %47 ], [ %45, %39 ]
  %49 = phi i64 [ %53, %47 ], [ %44, %39 ]
  %50 = getelementptr inbounds nuw i64, ptr %24, i64 %48
  %51 = load i64, ptr %50, align 8
  %52 = xor i64 %51, -1
  %53 = or i64 %49, %52
  %54 = add nuw nsw i64 %48, 1
  %55 = icmp eq i64 %54, %26
  br i1 %55, label %56, label %47

56:
  %57 = phi i64 [ %38, %37 ], [ %44, %39 ], [ %53, %47 ]
  %58 = icmp eq i64 %57, 0
  %59 = zext i1 %58 to i32
  br label %112

60:
  %61 = phi i64 [ %4, %11 ], [ %110, %109 ]
  %62 = getelementptr inbounds nuw i32, ptr %13, i64 %61
  %63 = load i32, ptr %62, align 4
  %64 = and i32 %63, 2
  %65 = icmp eq i32 %64, 0
  br i1 %65, label %66, label %109

66:
  %67 = icmp eq i64 %61, %7
  %68 = shl i64 %61, 12
  %69 = add i64 %68, 4096
  %70 = select i1 %67, i64 %5, i64 %69
  %71 = icmp eq i64 %61, %4
  %72 = select i1 %71, i64 %1, i64 %68
  %73 = load ptr, ptr %14, align 8
  %74 = lshr i64 %72, 6
  %75 = add i64 %70, -1
  %76 = lshr i64 %75, 6
  %77 = and i64 %72, 63
  %78 = shl nsw i64 -1, %77
  %79 = and i64 %75, 63
  %80 = xor i64 %79, 63
  %81 = lshr i64 -1, %80
  %82 = icmp eq i64 %74, %76
  %83 = getelementptr inbounds nuw i64, ptr %73, i64 %74
  %84 = load i64, ptr %83, align 8
  %85 = xor i64 %84, -1
  %86 = and i64 %78, %85
  br i1 %82, label %87, label %89

87:
  %88 = and i64 %86, %81
  br label %106

89:
  %90 = getelementptr inbounds nuw i64, ptr %73, i64 %76
  %91 = load i64, ptr %90, align 8
  %92 = xor i64 %91, -1
  %93 = and i64 %81, %92
  %94 = or i64 %93, %86
  %95 = add nuw nsw i64 %74, 1
  %96 = icmp samesign ult i64 %95, %76
  br i1 %96, label %97, label %106

97:
  %98 = phi i64 [ %104, %97 ], [ %95, %89 ]
  %99 = phi i64 [ %103, %97 ], [ %94, %89 ]
  %100 = getelementptr inbounds nuw i64, ptr %73, i64 %98
  %101 = load i64, ptr %100, align 8
  %102 = xor i64 %101, -1
  %103 = or i64 %99, %102
  %104 = add nuw nsw i64 %98, 1
  %105 = icmp eq i64 %104, %76
  br i1 %105, label %106, label %97

106:
  %107 = phi i64 [ %88, %87 ], [ %94, %89 ], [ %103, %97 ]
  %108 = icmp eq i64 %107, 0
  br i1 %108, label %109, label %112

109:
  %110 = add nuw nsw i64 %61, 1
  %111 = icmp eq i64 %61, %7
  br i1 %111, label %112, label %60

112:
  %113 = phi i32 [ 1, %15 ], [ %59, %56 ], [ 1, %9 ], [ 0, %106 ], [ 1, %109 ]
  ret i32 %113
}

define internal fastcc void @load_undefined(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, i64 noundef %3) unnamed_addr {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 128
  %9 = load i64, ptr %8, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %28, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %13 = load ptr, ptr %12, align 8
  %14 = icmp eq ptr %13, null
  br i1 %14, label %28, label %15

15:
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %17 = load i32, ptr %16, align 8
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %112, label %19

19:
  %20 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %22 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %23 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %24 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %26 = getelementptr inbounds nuw i8, ptr %2, i64 84
  %27 = getelementptr inbounds nuw i8, ptr %2, i64 72
  br label %30

28:
  %29 = getelementptr inbounds nuw i8, ptr %5, i64 184
  store i32 2, ptr %29, align 8
  br label %112

30:
  %31 = phi i64 [ 0, %19 ], [ %108, %106 ]
  %32 = phi i32 [ 0, %19 ], [ %107, %106 ]
  %33 = load i32, ptr %20, align 4
  %34 = icmp eq i32 %33, 0
  br i1 %34, label %40, label %35

35:
  %36 = trunc nuw i64 %31 to i32
  %37 = urem i32 %36, %33
  %38 = icmp eq i32 %37, 0
  %39 = select i1 %38, i32 0, i32 %32
  br label %40

40:
  %41 = phi i32 [ %32, %30 ], [ %39, %35 ]
  %42 = add i64 %3, %31
  %43 = tail call fastcc zeroext i8 @undefined_bits(ptr noundef %2, i64 noundef %42)
  %44 = load ptr, ptr %12, align 8
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 %31
  store i8 %43, ptr %45, align 1
  %46 = load ptr, ptr %21, align 8
  %47 = getelementptr inbounds nuw i32, ptr %46, i64 %31
  store i32 0, ptr %47, align 4
  %48 = load ptr, ptr %12, align 8
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 %31
  %50 = load i8, ptr %49, align 1
  %51 = icmp eq i8 %50, 0
  br i1 %51, label %106, label %52

52:
  %53 = load ptr, ptr %22, align 8
  %54 = icmp eq ptr %53, null
  br i1 %54, label %58, label %55

55:
  %56 = getelementptr inbounds nuw i32, ptr %53, i64 %42
  %57 = load i32, ptr %56, align 4
  br label %58

58:
  %59 = phi i32 [ %57, %55 ], [ 0, %52 ]
  %60 = load i32, ptr %20, align 4
  %61 = icmp eq i32 %60, 0
  br i1 %61, label %65, label %62

62:
  %63 = trunc nuw i64 %31 to i32
  %64 = udiv i32 %63, %60
  br label %65

65:
  %66 = phi i32 [ %64, %62 ], [ 0, %58 ]
  %67 = load ptr, ptr %23, align 8
  %68 = icmp eq ptr %67, null
  br i1 %68, label %73, label %69

69:
  %70 = zext i32 %66 to i64
  %71 = getelementptr inbounds nuw i32, ptr %67, i64 %70
  %72 = load i32, ptr %71, align 4
  br label %76

73:
  %74 = load i32, ptr %24, align 8
  %75 = add i32 %74, %66
  br label %76

76:
  %77 = phi i32 [ %72, %69 ], [ %75, %73 ]
  %78 = icmp ne i32 %59, 0
  %79 = icmp ne i32 %41, 0
  %80 = select i1 %78, i1 true, i1 %79
  br i1 %80, label %101, label %81

81:
  %82 = load i32, ptr %25, align 8
  %83 = load i32, ptr %26, align 4
  switch i32 %83, label %93 [
    i32 5, label %87
    i32 1, label %84
    i32 0, label %90
  ]

84:
  %85 = load ptr, ptr %27, align 8
  %86 = icmp eq ptr %85, null
  br i1 %86, label %93, label %87

87:
  %88 = load i64, ptr %2, align 8
  %89 = add i64 %88, %42
  br label %97

90:
  %91 = load i64, ptr %1, align 8
  %92 = add i64 %91, %31
  br label %97

93:
  %94 = load i64, ptr %1, align 8
  %95 = add i64 %31, %94
  %96 = and i64 %95, 4294967295
  br label %97

97:
  %98 = phi i64 [ %89, %87 ], [ %92, %90 ], [ %96, %93 ]
  %99 = tail call i32 @lm_origin(ptr noundef %5, i32 noundef 1, i32 noundef %82, i32 noundef %77, i32 noundef %83, i64 noundef %98)
  %100 = load ptr, ptr %21, align 8
  br label %101

101:
  %102 = phi ptr [ %46, %76 ], [ %100, %97 ]
  %103 = phi i32 [ %41, %76 ], [ %99, %97 ]
  %104 = select i1 %78, i32 %59, i32 %103
  %105 = getelementptr inbounds nuw i32, ptr %102, i64 %31
  store i32 %104, ptr %105, align 4
  br label %106

106:
  %107 = phi i32 [ %103, %101 ], [ %41, %40 ]
  %108 = add nuw nsw i64 %31, 1
  %109 = load i32, ptr %16, align 8
  %110 = zext i32 %109 to i64
  %111 = icmp samesign ult i64 %108, %110
  br i1 %111, label %30, label %112

112:
  ret void
}

define void @write_bytes(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %2, i64 84
  %6 = load i32, ptr %5, align 4
  %7 = icmp eq i32 %6, 2
  br i1 %7, label %8, label %9

8:
  tail call void @private_move(ptr noundef %0, ptr noundef %1, ptr noundef nonnull %2, i64 noundef %3, i32 noundef 1)
  br label %135

9:
  %10 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 %3
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %16 = load i32, ptr %15, align 8
  %17 = zext i32 %16 to i64
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %12, ptr readonly align 1 %14, i64 %17, i1 false)
  %18 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %19 = load ptr, ptr %18, align 8
  %20 = icmp eq ptr %19, null
  %21 = load i32, ptr %15, align 8
  %22 = zext i32 %21 to i64
  br i1 %20, label %36, label %23

23:
  %24 = icmp eq i32 %21, 0
  br i1 %24, label %36, label %25

25:
  %26 = phi i8 [ %30, %25 ], [ 0, %23 ]
  %27 = phi i64 [ %31, %25 ], [ 0, %23 ]
  %28 = getelementptr inbounds nuw i8, ptr %19, i64 %27
  %29 = load i8, ptr %28, align 1
  %30 = or i8 %29, %26
  %31 = add nuw nsw i64 %27, 1
  %32 = icmp eq i64 %31, %22
  br i1 %32, label %33, label %25

33:
  %34 = icmp eq i8 %30, 0
  br i1 %34, label %36, label %35

35:
  tail call fastcc void @store_undefined(ptr noundef %0, ptr noundef nonnull %1, ptr noundef nonnull %2, i64 noundef %3)
  br label %135

36:
  %37 = phi i64 [ 0, %23 ], [ %22, %33 ], [ %22, %9 ]
  %38 = load i32, ptr %5, align 4
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %40, label %49

40:
  %41 = load ptr, ptr %0, align 8
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 16
  %43 = load ptr, ptr %42, align 8
  %44 = getelementptr inbounds nuw i8, ptr %43, i64 416
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %45, i64 4
  %47 = load i32, ptr %46, align 4
  %48 = icmp ult i32 %47, 2
  br label %49

49:
  %50 = phi i1 [ %48, %40 ], [ true, %36 ]
  %51 = lshr i64 %3, 12
  %52 = add i64 %3, %37
  %53 = add i64 %52, -1
  %54 = lshr i64 %53, 12
  %55 = icmp samesign ugt i64 %51, %54
  br i1 %55, label %135, label %56

56:
  %57 = getelementptr inbounds nuw i8, ptr %2, i64 56
  %58 = getelementptr inbounds nuw i8, ptr %2, i64 24
  br label %59

59:
  %60 = phi i64 [ %51, %56 ], [ %133, %132 ]
  %61 = load ptr, ptr %57, align 8
  %62 = getelementptr inbounds nuw i32, ptr %61, i64 %60
  %63 = load i32, ptr %62, align 4
  %64 = and i32 %63, 2
  %65 = icmp eq i32 %64, 0
  br i1 %65, label %66, label %132

66:
  %67 = icmp eq i64 %60, %51
  %68 = shl i64 %60, 12
  %69 = select i1 %67, i64 %3, i64 %68
  %70 = icmp eq i64 %60, %54
  %71 = add i64 %68, 4096
  %72 = select i1 %70, i64 %52, i64 %71
  %73 = load ptr, ptr %58, align 8
  %74 = lshr i64 %69, 6
  %75 = add i64 %72, -1
  %76 = lshr i64 %75, 6
  %77 = and i64 %69, 63
  %78 = shl nsw i64 -1, %77
  %79 = and i64 %75, 63
  %80 = xor i64 %79, 63
  %81 = lshr i64 -1, %80
  %82 = icmp eq i64 %74, %76
  %83 = getelementptr inbounds nuw i64, ptr %73, i64 %74
  br i1 %82, label %84, label %97

84:
  %85 = and i64 %81, %78
  %86 = load i64, ptr %83, align 8
  %87 = xor i64 %86, -1
  %88 = and i64 %85, %87
  %89 = icmp eq i64 %88, 0
  br i1 %89, label %132, label %90

90:
  %91 = icmp eq i64 %85, -1
  %92 = or i1 %50, %91
  br i1 %92, label %95, label %93

93:
  %94 = atomicrmw or ptr %83, i64 %85 monotonic, align 8
  br label %132

95:
  %96 = or i64 %86, %85
  store i64 %96, ptr %83, align 8
  br label %132

97:
  %98 = load i64, ptr %83, align 8
  %99 = xor i64 %98, -1
  %100 = and i64 %78, %99
  %101 = icmp eq i64 %100, 0
  br i1 %101, label %109, label %102

102:
  %103 = icmp eq i64 %77, 0
  %104 = or i1 %50, %103
  br i1 %104, label %107, label %105

105:
  %106 = atomicrmw or ptr %83, i64 %78 monotonic, align 8
  br label %109

107:
  %108 = or i64 %98, %78
  store i64 %108, ptr %83, align 8
  br label %109

109:
  %110 = add nuw nsw i64 %74, 1
  %111 = icmp samesign ult i64 %110, %76
  br i1 %111, label %112, label %119

112:
  %113 = shl nuw nsw i64 %74, 3
  %114 = getelementptr i8, ptr %73, i64 %113
  %115 = getelementptr i8, ptr %114, i64 8
  %116 = xor i64 %74, -1
  %117 = add nsw i64 %76, %116
  %118 = shl nuw nsw i64 %117, 3
  tail call void @llvm.memset.p0.i64(ptr align 8 %115, i8 -1, i64 %118, i1 false)
  br label %119

119:
  %120 = getelementptr inbounds nuw i64, ptr %73, i64 %76
  %121 = load i64, ptr %120, align 8
  %122 = xor i64 %121, -1
  %123 = and i64 %81, %122
  %124 = icmp eq i64 %123, 0
  br i1 %124, label %132, label %125

125:
  %126 = icmp eq i64 %79, 63
  %127 = or i1 %50, %126
  br i1 %127, label %130, label %128

128:
  %129 = atomicrmw or ptr %120, i64 %81 monotonic, align 8
  br label %132

130:
  %131 = or i64 %121, %81
  store i64 %131, ptr %120, align 8
  br label %132

132:
  %133 = add nuw nsw i64 %60, 1
  %134 = icmp eq i64 %60, %54
  br i1 %134, label %135, label %59

135:
  ret void
}

define internal fastcc void @store_undefined(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, i64 noundef %3) unnamed_addr {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 128
  %9 = load i64, ptr %8, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %28, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %13 = load i32, ptr %12, align 8
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %155, label %15

15:
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %18 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %20 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %21 = getelementptr inbounds nuw i8, ptr %2, i64 56
  %22 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %23 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %24 = getelementptr inbounds nuw i8, ptr %2, i64 84
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %26 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %27 = getelementptr inbounds nuw i8, ptr %2, i64 40
  br label %30

28:
  %29 = getelementptr inbounds nuw i8, ptr %5, i64 184
  store i32 2, ptr %29, align 8
  br label %155

30:
  %31 = phi i64 [ 0, %15 ], [ %151, %150 ]
  %32 = load ptr, ptr %16, align 8
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 %31
  %34 = load i8, ptr %33, align 1
  %35 = icmp eq i8 %34, 0
  br i1 %35, label %40, label %36

36:
  %37 = load ptr, ptr %17, align 8
  %38 = getelementptr inbounds nuw i32, ptr %37, i64 %31
  %39 = load i32, ptr %38, align 4
  br label %40

40:
  %41 = phi i32 [ %39, %36 ], [ 0, %30 ]
  %42 = load i32, ptr %18, align 4
  %43 = icmp eq i32 %42, 0
  br i1 %43, label %47, label %44

44:
  %45 = trunc nuw i64 %31 to i32
  %46 = udiv i32 %45, %42
  br label %47

47:
  %48 = phi i32 [ %46, %44 ], [ 0, %40 ]
  %49 = load ptr, ptr %19, align 8
  %50 = icmp eq ptr %49, null
  br i1 %50, label %55, label %51

51:
  %52 = zext i32 %48 to i64
  %53 = getelementptr inbounds nuw i32, ptr %49, i64 %52
  %54 = load i32, ptr %53, align 4
  br label %58

55:
  %56 = load i32, ptr %20, align 8
  %57 = add i32 %56, %48
  br label %58

58:
  %59 = phi i32 [ %54, %51 ], [ %57, %55 ]
  %60 = add i64 %3, %31
  %61 = lshr i64 %60, 12
  %62 = load ptr, ptr %21, align 8
  %63 = getelementptr inbounds nuw i32, ptr %62, i64 %61
  %64 = load i32, ptr %63, align 4
  %65 = and i32 %64, 2
  %66 = icmp eq i32 %65, 0
  br i1 %66, label %112, label %67

67:
  %68 = load i64, ptr %22, align 8
  %69 = and i64 %60, -4096
  %70 = sub i64 %68, %69
  %71 = load ptr, ptr %23, align 8
  %72 = tail call i64 @llvm.umin.i64(i64 %70, i64 4096)
  %73 = shl nuw nsw i64 %61, 6
  %74 = add i64 %69, -1
  %75 = add i64 %74, %72
  %76 = lshr i64 %75, 6
  %77 = and i64 %75, 63
  %78 = xor i64 %77, 63
  %79 = lshr i64 -1, %78
  %80 = icmp eq i64 %73, %76
  %81 = getelementptr inbounds nuw i64, ptr %71, i64 %73
  %82 = load i64, ptr %81, align 8
  br i1 %80, label %83, label %89

83:
  %84 = xor i64 %82, -1
  %85 = and i64 %79, %84
  %86 = icmp eq i64 %85, 0
  br i1 %86, label %110, label %87

87:
  %88 = or i64 %79, %82
  store i64 %88, ptr %81, align 8
  br label %110

89:
  %90 = icmp eq i64 %82, -1
  br i1 %90, label %92, label %91

91:
  store i64 -1, ptr %81, align 8
  br label %92

92:
  %93 = or disjoint i64 %73, 1
  %94 = icmp samesign ult i64 %93, %76
  br i1 %94, label %95, label %102

95:
  %96 = shl nuw nsw i64 %61, 9
  %97 = getelementptr i8, ptr %71, i64 %96
  %98 = getelementptr i8, ptr %97, i64 8
  %99 = xor i64 %73, -1
  %100 = add nsw i64 %76, %99
  %101 = shl nuw nsw i64 %100, 3
  tail call void @llvm.memset.p0.i64(ptr align 8 %98, i8 -1, i64 %101, i1 false)
  br label %102

102:
  %103 = getelementptr inbounds nuw i64, ptr %71, i64 %76
  %104 = load i64, ptr %103, align 8
  %105 = xor i64 %104, -1
  %106 = and i64 %79, %105
  %107 = icmp eq i64 %106, 0
  br i1 %107, label %110, label %108

108:
  %109 = or i64 %104, %79
  store i64 %109, ptr %103, align 8
  br label %110

110:
  %111 = and i32 %64, -3
  store i32 %111, ptr %63, align 4
  br label %112

112:
  %113 = icmp eq i32 %41, 0
  br i1 %113, label %122, label %114

114:
  %115 = load i32, ptr %24, align 4
  %116 = icmp eq i32 %115, 0
  br i1 %116, label %117, label %122

117:
  %118 = load i32, ptr %25, align 8
  %119 = zext i32 %41 to i64
  %120 = tail call i32 @lm_origin(ptr noundef %5, i32 noundef 3, i32 noundef %118, i32 noundef %59, i32 noundef 0, i64 noundef %119)
  %121 = load ptr, ptr %16, align 8
  br label %122

122:
  %123 = phi ptr [ %121, %117 ], [ %32, %114 ], [ %32, %112 ]
  %124 = phi i32 [ %120, %117 ], [ %41, %114 ], [ 0, %112 ]
  %125 = getelementptr inbounds nuw i8, ptr %123, i64 %31
  %126 = load i8, ptr %125, align 1
  %127 = and i64 %60, 63
  %128 = shl nuw i64 1, %127
  %129 = icmp eq i8 %126, 0
  br i1 %129, label %130, label %136

130:
  %131 = load ptr, ptr %23, align 8
  %132 = lshr i64 %60, 6
  %133 = getelementptr inbounds nuw i64, ptr %131, i64 %132
  %134 = load i64, ptr %133, align 8
  %135 = or i64 %134, %128
  store i64 %135, ptr %133, align 8
  br label %150

136:
  %137 = xor i64 %128, -1
  %138 = load ptr, ptr %23, align 8
  %139 = lshr i64 %60, 6
  %140 = getelementptr inbounds nuw i64, ptr %138, i64 %139
  %141 = load i64, ptr %140, align 8
  %142 = and i64 %141, %137
  store i64 %142, ptr %140, align 8
  %143 = load ptr, ptr %26, align 8
  %144 = icmp eq ptr %143, null
  br i1 %144, label %150, label %145

145:
  %146 = xor i8 %126, -1
  %147 = getelementptr inbounds nuw i8, ptr %143, i64 %60
  store i8 %146, ptr %147, align 1
  %148 = load ptr, ptr %27, align 8
  %149 = getelementptr inbounds nuw i32, ptr %148, i64 %60
  store i32 %124, ptr %149, align 4
  br label %150

150:
  %151 = add nuw nsw i64 %31, 1
  %152 = load i32, ptr %12, align 8
  %153 = zext i32 %152 to i64
  %154 = icmp samesign ult i64 %151, %153
  br i1 %154, label %30, label %155

155:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)

define range(i32 0, 2) i32 @access(ptr noundef %0, ptr noundef readonly captures(none) %1) local_unnamed_addr {
  %3 = alloca i64, align 8
  %4 = alloca i32, align 4
  %5 = alloca %struct.Touch, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3)
  call void @llvm.lifetime.start.p0(ptr nonnull %4)
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(64) %5, i8 0, i64 64, i1 false)
  %6 = call fastcc ptr @checked(ptr noundef %0, ptr noundef %1, ptr noundef nonnull %3, ptr noundef %5, ptr noundef %4)
  %7 = icmp eq ptr %6, null
  br i1 %7, label %8, label %32

8:
  %9 = load i32, ptr %4, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %13, label %11

11:
  %12 = call fastcc i32 @by_lane(ptr noundef %0, ptr noundef %1)
  br label %73

13:
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %15 = load i32, ptr %14, align 8
  %16 = and i32 %15, 1
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %73, label %18

18:
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %20 = load ptr, ptr %19, align 8
  %21 = icmp eq ptr %20, null
  br i1 %21, label %73, label %22

22:
  %23 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %24 = load i32, ptr %23, align 8
  %25 = zext i32 %24 to i64
  call void @llvm.memset.p0.i64(ptr nonnull align 1 %20, i8 0, i64 %25, i1 false)
  %26 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %27 = load ptr, ptr %26, align 8
  %28 = icmp eq ptr %27, null
  br i1 %28, label %73, label %29

29:
  %30 = load i32, ptr %23, align 8
  %31 = zext i32 %30 to i64
  call void @llvm.memset.p0.i64(ptr nonnull align 1 %27, i8 0, i64 %31, i1 false)
  br label %73

32:
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %34 = load i32, ptr %33, align 8
  %35 = and i32 %34, 2
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %37, label %62

37:
  %38 = load i64, ptr %3, align 8
  %39 = getelementptr inbounds nuw i8, ptr %6, i64 84
  %40 = load i32, ptr %39, align 4
  %41 = icmp eq i32 %40, 2
  br i1 %41, label %42, label %43

42:
  call void @private_move(ptr noundef nonnull readonly %0, ptr noundef readonly %1, ptr noundef nonnull %6, i64 noundef %38, i32 noundef 0)
  br label %68

43:
  %44 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %47 = load ptr, ptr %46, align 8
  %48 = getelementptr inbounds nuw i8, ptr %47, i64 %38
  %49 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %50 = load i32, ptr %49, align 8
  %51 = zext i32 %50 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %45, ptr readonly align 1 %48, i64 %51, i1 false)
  %52 = load i32, ptr %49, align 8
  %53 = zext i32 %52 to i64
  %54 = call fastcc i32 @defined_at(ptr noundef nonnull %6, i64 noundef %38, i64 noundef %53)
  %55 = icmp eq i32 %54, 0
  br i1 %55, label %56, label %57

56:
  call fastcc void @load_undefined(ptr noundef nonnull readonly %0, ptr noundef nonnull readonly %1, ptr noundef nonnull %6, i64 noundef %38)
  br label %68

57:
  %58 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %59 = load ptr, ptr %58, align 8
  %60 = icmp eq ptr %59, null
  br i1 %60, label %68, label %61

61:
  call void @llvm.memset.p0.i64(ptr nonnull align 1 %59, i8 0, i64 %53, i1 false)
  br label %68

62:
  %63 = getelementptr inbounds nuw i8, ptr %5, i64 44
  %64 = load i32, ptr %63, align 4
  %65 = icmp eq i32 %64, 0
  br i1 %65, label %66, label %68

66:
  %67 = load i64, ptr %3, align 8
  call void @write_bytes(ptr noundef nonnull %0, ptr noundef %1, ptr noundef nonnull %6, i64 noundef %67)
  br label %68

68:
  %69 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %70 = load i32, ptr %69, align 8
  %71 = icmp eq i32 %70, 0
  br i1 %71, label %73, label %72

72:
  call void @race_undefines(ptr noundef nonnull %0, ptr noundef %1, i32 noundef %70)
  br label %73

73:
  %74 = phi i32 [ 1, %68 ], [ %12, %11 ], [ 1, %72 ], [ 0, %13 ], [ 0, %18 ], [ 0, %22 ], [ 0, %29 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  call void @llvm.lifetime.end.p0(ptr nonnull %4)
  call void @llvm.lifetime.end.p0(ptr nonnull %3)
  ret i32 %74
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg)

define internal fastcc ptr @checked(ptr noundef %0, ptr noundef readonly captures(none) %1, ptr noundef captures(none) %2, ptr noundef nonnull %3, ptr noundef nonnull writeonly captures(none) initializes((0, 4)) %4) unnamed_addr {
  %6 = load ptr, ptr %0, align 8
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %8 = load i32, ptr %7, align 4
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %10 = load i32, ptr %9, align 8
  %11 = icmp ult i32 %8, %10
  %12 = icmp ne i32 %8, 0
  %13 = and i1 %12, %11
  %14 = zext i1 %13 to i32
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %16 = load i32, ptr %15, align 8
  %17 = and i32 %16, 2
  %18 = icmp eq i32 %17, 0
  %19 = lshr exact i32 %17, 1
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %21 = load ptr, ptr %20, align 8
  %22 = icmp eq ptr %21, null
  br i1 %22, label %25, label %23

23:
  %24 = load i64, ptr %1, align 8
  store i64 %24, ptr %2, align 8
  store i32 %14, ptr %4, align 4
  br label %41

25:
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %27 = load i32, ptr %26, align 4
  %28 = load i64, ptr %1, align 8
  %29 = zext i32 %10 to i64
  %30 = tail call ptr @memory_at(ptr noundef %6, i32 noundef %27, i64 noundef %28, i64 noundef %29, ptr noundef %2)
  store i32 %14, ptr %4, align 4
  %31 = icmp eq ptr %30, null
  br i1 %31, label %34, label %32

32:
  %33 = load i64, ptr %1, align 8
  br label %41

34:
  br i1 %13, label %269, label %35

35:
  %36 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %37 = load i32, ptr %36, align 8
  %38 = load i64, ptr %1, align 8
  %39 = load i32, ptr %9, align 8
  %40 = zext i32 %39 to i64
  tail call void @out_of_bounds(ptr noundef nonnull %0, i32 noundef %37, i64 noundef %38, i64 noundef %40)
  br label %269

41:
  %42 = phi i64 [ %24, %23 ], [ %33, %32 ]
  %43 = phi ptr [ %21, %23 ], [ %30, %32 ]
  br i1 %13, label %44, label %54

44:
  %45 = load i32, ptr %7, align 4
  %46 = zext i32 %45 to i64
  %47 = or i64 %42, %46
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 20
  %49 = load i32, ptr %48, align 4
  %50 = add i32 %49, -1
  %51 = zext i32 %50 to i64
  %52 = and i64 %47, %51
  %53 = icmp eq i64 %52, 0
  br i1 %53, label %65, label %269

54:
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 20
  %56 = load i32, ptr %55, align 4
  %57 = add i32 %56, -1
  %58 = zext i32 %57 to i64
  %59 = and i64 %42, %58
  %60 = icmp eq i64 %59, 0
  br i1 %60, label %65, label %61

61:
  %62 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %63 = load i32, ptr %62, align 8
  %64 = zext i32 %56 to i64
  tail call void @misaligned(ptr noundef nonnull %0, i32 noundef %63, i64 noundef %42, i64 noundef %64)
  br label %269

65:
  %66 = getelementptr inbounds nuw i8, ptr %43, i64 84
  %67 = load i32, ptr %66, align 4
  %68 = icmp eq i32 %67, 2
  br i1 %68, label %69, label %71

69:
  %70 = select i1 %13, ptr null, ptr %43
  br label %269

71:
  br i1 %18, label %91, label %72

72:
  %73 = getelementptr inbounds nuw i8, ptr %43, i64 88
  %74 = load i32, ptr %73, align 8
  %75 = icmp eq i32 %74, 0
  br i1 %75, label %78, label %76

76:
  br i1 %13, label %269, label %77

77:
  tail call fastcc void @read_only(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %269

78:
  %79 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %80 = load ptr, ptr %79, align 8
  %81 = icmp eq ptr %80, null
  br i1 %81, label %91, label %82

82:
  %83 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %84 = load ptr, ptr %83, align 8
  %85 = getelementptr inbounds nuw i8, ptr %84, i64 520
  %86 = load ptr, ptr %85, align 8
  %87 = icmp ne ptr %86, null
  %88 = icmp eq i32 %67, 0
  %89 = and i1 %88, %87
  br i1 %89, label %90, label %91

90:
  tail call fastcc void @race_stored(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %91

91:
  %92 = load i64, ptr %2, align 8
  %93 = load i32, ptr %9, align 8
  %94 = zext i32 %93 to i64
  %95 = lshr i64 %92, 12
  %96 = add i64 %92, -1
  %97 = add i64 %96, %94
  %98 = lshr i64 %97, 12
  %99 = icmp samesign ugt i64 %95, %98
  br i1 %99, label %120, label %100

100:
  %101 = getelementptr inbounds nuw i8, ptr %43, i64 56
  %102 = getelementptr inbounds nuw i8, ptr %43, i64 80
  %103 = icmp ne i32 %17, 0
  br label %104

104:
  %105 = phi i64 [ %95, %100 ], [ %118, %117 ]
  %106 = load ptr, ptr %101, align 8
  %107 = getelementptr inbounds nuw i32, ptr %106, i64 %105
  %108 = load i32, ptr %107, align 4
  %109 = lshr i32 %108, 4
  %110 = load i32, ptr %102, align 8
  %111 = icmp eq i32 %109, %110
  br i1 %111, label %112, label %116

112:
  %113 = and i32 %108, 4
  %114 = icmp eq i32 %113, 0
  %115 = and i1 %103, %114
  br i1 %115, label %116, label %117

116:
  tail call void @touch_page(ptr noundef %6, ptr noundef nonnull %43, i64 noundef %105, i32 noundef range(i32 0, 2) %19)
  br label %117

117:
  %118 = add nuw nsw i64 %105, 1
  %119 = icmp eq i64 %105, %98
  br i1 %119, label %120, label %104

120:
  %121 = getelementptr inbounds nuw i8, ptr %43, i64 72
  %122 = load ptr, ptr %121, align 8
  %123 = icmp eq ptr %122, null
  br i1 %123, label %171, label %124

124:
  %125 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %126 = load ptr, ptr %125, align 8
  %127 = icmp eq ptr %122, %126
  br i1 %127, label %171, label %128

128:
  %129 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %130 = load i32, ptr %129, align 8
  %131 = load i32, ptr %15, align 8
  %132 = and i32 %131, 32
  %133 = icmp eq i32 %132, 0
  br i1 %133, label %134, label %155

134:
  %135 = and i32 %131, 2
  %136 = icmp ne i32 %135, 0
  %137 = and i32 %131, 12
  %138 = icmp ne i32 %137, 0
  %139 = and i1 %136, %138
  br i1 %139, label %155, label %140

140:
  %141 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %142 = load i32, ptr %141, align 8
  %143 = zext i32 %142 to i64
  %144 = shl nuw i64 %143, 32
  %145 = load ptr, ptr %0, align 8
  %146 = getelementptr inbounds nuw i8, ptr %145, i64 216
  %147 = load i64, ptr %146, align 8
  %148 = or i64 %144, %147
  %149 = getelementptr inbounds nuw i8, ptr %122, i64 120
  %150 = load ptr, ptr %149, align 8
  %151 = getelementptr inbounds nuw i8, ptr %145, i64 28
  %152 = load i32, ptr %151, align 4
  %153 = zext i32 %152 to i64
  %154 = getelementptr inbounds nuw i64, ptr %150, i64 %153
  store i64 %148, ptr %154, align 8
  br label %155

155:
  %156 = getelementptr inbounds nuw i8, ptr %122, i64 20
  %157 = load i32, ptr %156, align 4
  %158 = icmp eq i32 %157, 0
  br i1 %158, label %159, label %171

159:
  %160 = load ptr, ptr %0, align 8
  %161 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %162 = load i32, ptr %161, align 8
  %163 = zext nneg i32 %130 to i64
  %164 = shl nuw i64 1, %163
  %165 = tail call ptr @lm_hazard(ptr noundef %160, i32 noundef 9, i32 noundef %162, i64 noundef %164)
  %166 = getelementptr inbounds nuw i8, ptr %122, i64 8
  %167 = load i32, ptr %166, align 8
  %168 = zext i32 %167 to i64
  %169 = getelementptr inbounds nuw i8, ptr %165, i64 48
  store i64 %168, ptr %169, align 8
  %170 = getelementptr inbounds nuw i8, ptr %165, i64 56
  store i64 1, ptr %170, align 8
  br label %171

171:
  %172 = getelementptr inbounds nuw i8, ptr %43, i64 64
  %173 = load ptr, ptr %172, align 8
  %174 = icmp eq ptr %173, null
  br i1 %174, label %204, label %175

175:
  %176 = load i32, ptr %15, align 8
  %177 = and i32 %176, 32
  %178 = icmp eq i32 %177, 0
  br i1 %178, label %179, label %204

179:
  %180 = load i64, ptr %2, align 8
  %181 = lshr i64 %180, 3
  %182 = load i32, ptr %9, align 8
  %183 = zext i32 %182 to i64
  %184 = add i64 %180, -1
  %185 = add i64 %184, %183
  %186 = lshr i64 %185, 3
  %187 = icmp samesign ugt i64 %181, %186
  br i1 %187, label %204, label %191

188:
  %189 = add i64 %192, 1
  %190 = icmp eq i64 %192, %186
  br i1 %190, label %204, label %191

191:
  %192 = phi i64 [ %189, %188 ], [ %181, %179 ]
  %193 = lshr i64 %192, 6
  %194 = getelementptr inbounds nuw i64, ptr %173, i64 %193
  %195 = load i64, ptr %194, align 8
  %196 = and i64 %192, 63
  %197 = shl nuw i64 1, %196
  %198 = and i64 %197, %195
  %199 = icmp eq i64 %198, 0
  br i1 %199, label %188, label %200

200:
  br i1 %13, label %269, label %201

201:
  %202 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %203 = load i32, ptr %202, align 8
  tail call fastcc void @touched_object(ptr noundef nonnull %0, i32 noundef %203, ptr noundef %43, i64 noundef %180)
  br label %204

204:
  %205 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %206 = load i32, ptr %66, align 4
  %207 = icmp eq i32 %206, 1
  %208 = zext i1 %207 to i64
  %209 = getelementptr inbounds nuw i64, ptr %205, i64 %208
  %210 = load i64, ptr %209, align 8
  %211 = load i64, ptr %2, align 8
  %212 = load i32, ptr %9, align 8
  %213 = zext i32 %212 to i64
  %214 = add i64 %211, %213
  %215 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %216 = load i32, ptr %215, align 8
  store ptr %0, ptr %3, align 8
  %217 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store ptr %43, ptr %217, align 8
  %218 = getelementptr inbounds nuw i8, ptr %3, i64 16
  store i64 %210, ptr %218, align 8
  %219 = getelementptr inbounds nuw i8, ptr %3, i64 24
  store i64 %211, ptr %219, align 8
  %220 = getelementptr inbounds nuw i8, ptr %3, i64 32
  store i64 %214, ptr %220, align 8
  %221 = getelementptr inbounds nuw i8, ptr %3, i64 40
  store i32 %216, ptr %221, align 8
  %222 = getelementptr inbounds nuw i8, ptr %3, i64 44
  store i32 0, ptr %222, align 4
  %223 = getelementptr inbounds nuw i8, ptr %3, i64 48
  store i32 %14, ptr %223, align 8
  %224 = getelementptr inbounds nuw i8, ptr %3, i64 52
  store i32 0, ptr %224, align 4
  %225 = getelementptr inbounds nuw i8, ptr %3, i64 56
  store i32 0, ptr %225, align 8
  %226 = getelementptr inbounds nuw i8, ptr %3, i64 60
  store i32 0, ptr %226, align 4
  br i1 %18, label %244, label %227

227:
  %228 = load i32, ptr %15, align 8
  %229 = and i32 %228, 1
  %230 = icmp eq i32 %229, 0
  br i1 %230, label %231, label %244

231:
  %232 = load i32, ptr %66, align 4
  %233 = icmp eq i32 %232, 5
  br i1 %233, label %244, label %234

234:
  %235 = load i64, ptr %2, align 8
  %236 = tail call fastcc i32 @same_bytes(ptr noundef nonnull %1, ptr noundef %43, i64 noundef %235)
  store i32 %236, ptr %222, align 4
  %237 = xor i32 %236, 1
  %238 = zext nneg i32 %237 to i64
  %239 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %240 = load ptr, ptr %239, align 8
  %241 = getelementptr inbounds nuw i8, ptr %240, i64 152
  %242 = load i64, ptr %241, align 8
  %243 = add i64 %242, %238
  store i64 %243, ptr %241, align 8
  br label %244

244:
  %245 = getelementptr inbounds nuw i8, ptr %43, i64 48
  %246 = load ptr, ptr %245, align 8
  %247 = icmp eq ptr %246, null
  br i1 %247, label %249, label %248

248:
  tail call void @touch(ptr noundef nonnull %3)
  br label %249

249:
  %250 = load i32, ptr %15, align 8
  %251 = and i32 %250, 12
  %252 = icmp eq i32 %251, 0
  br i1 %252, label %265, label %253

253:
  %254 = load i32, ptr %66, align 4
  %255 = icmp eq i32 %254, 0
  br i1 %255, label %256, label %265

256:
  %257 = load i32, ptr %224, align 4
  %258 = icmp eq i32 %257, 0
  br i1 %258, label %259, label %265

259:
  %260 = load i64, ptr %43, align 8
  %261 = load i64, ptr %2, align 8
  %262 = add i64 %261, %260
  %263 = load i32, ptr %9, align 8
  %264 = zext i32 %263 to i64
  tail call void @carry(ptr noundef %6, i64 noundef %262, i64 noundef %264, i32 noundef %250)
  br label %265

265:
  %266 = load i32, ptr %224, align 4
  %267 = icmp eq i32 %266, 0
  %268 = select i1 %267, ptr %43, ptr null
  br label %269

269:
  %270 = phi ptr [ null, %34 ], [ %70, %69 ], [ null, %200 ], [ %268, %265 ], [ null, %76 ], [ null, %35 ], [ null, %61 ], [ null, %77 ], [ null, %44 ]
  ret ptr %270
}

define internal fastcc range(i32 0, 2) i32 @by_lane(ptr noundef %0, ptr noundef readonly captures(none) %1) unnamed_addr {
  %3 = alloca %struct.Range, align 8
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %19, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %12 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 48
  %14 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %16 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %17 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %18 = load i32, ptr %8, align 4
  br label %21

19:
  %20 = phi i32 [ 1, %2 ], [ %55, %53 ]
  ret i32 %20

21:
  %22 = phi i32 [ %18, %7 ], [ %56, %53 ]
  %23 = phi i32 [ 0, %7 ], [ %57, %53 ]
  %24 = phi i32 [ 1, %7 ], [ %55, %53 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %3)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %3, ptr noundef nonnull align 8 dereferenceable(56) %1, i64 56, i1 false)
  %25 = zext i32 %23 to i64
  %26 = load i64, ptr %3, align 8
  %27 = add i64 %26, %25
  store i64 %27, ptr %3, align 8
  store i32 %22, ptr %9, align 8
  %28 = icmp eq i32 %22, 0
  br i1 %28, label %31, label %29

29:
  %30 = udiv i32 %23, %22
  br label %31

31:
  %32 = phi i32 [ %30, %29 ], [ 0, %21 ]
  %33 = load ptr, ptr %10, align 8
  %34 = icmp eq ptr %33, null
  br i1 %34, label %39, label %35

35:
  %36 = zext i32 %32 to i64
  %37 = getelementptr inbounds nuw i32, ptr %33, i64 %36
  %38 = load i32, ptr %37, align 4
  br label %42

39:
  %40 = load i32, ptr %11, align 8
  %41 = add i32 %40, %32
  br label %42

42:
  %43 = phi i32 [ %38, %35 ], [ %41, %39 ]
  store i32 %43, ptr %12, align 8
  store ptr null, ptr %13, align 8
  %44 = load ptr, ptr %14, align 8
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 %25
  store ptr %45, ptr %14, align 8
  %46 = load ptr, ptr %15, align 8
  %47 = icmp eq ptr %46, null
  br i1 %47, label %53, label %48

48:
  %49 = load ptr, ptr %16, align 8
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 %25
  store ptr %50, ptr %16, align 8
  %51 = load ptr, ptr %17, align 8
  %52 = getelementptr inbounds nuw i32, ptr %51, i64 %25
  store ptr %52, ptr %17, align 8
  br label %53

53:
  %54 = call i32 @access(ptr noundef %0, ptr noundef nonnull %3)
  %55 = and i32 %54, %24
  call void @llvm.lifetime.end.p0(ptr nonnull %3)
  %56 = load i32, ptr %8, align 4
  %57 = add i32 %56, %23
  %58 = load i32, ptr %4, align 8
  %59 = icmp ult i32 %57, %58
  br i1 %59, label %21, label %19
}

define void @race_undefines(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2) local_unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, null
  br i1 %6, label %33, label %7

7:
  %8 = load ptr, ptr %0, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load i32, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %12 = load i32, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %14 = load i32, ptr %13, align 4
  %15 = add i32 %2, -1
  %16 = zext i32 %15 to i64
  %17 = tail call i32 @lm_origin(ptr noundef %8, i32 noundef 5, i32 noundef %10, i32 noundef %12, i32 noundef %14, i64 noundef %16)
  %18 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %19 = load i32, ptr %18, align 8
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %33, label %21

21:
  %22 = getelementptr inbounds nuw i8, ptr %1, i64 40
  br label %23

23:
  %24 = phi i64 [ 0, %21 ], [ %29, %23 ]
  %25 = load ptr, ptr %4, align 8
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 %24
  store i8 -1, ptr %26, align 1
  %27 = load ptr, ptr %22, align 8
  %28 = getelementptr inbounds nuw i32, ptr %27, i64 %24
  store i32 %17, ptr %28, align 4
  %29 = add nuw nsw i64 %24, 1
  %30 = load i32, ptr %18, align 8
  %31 = zext i32 %30 to i64
  %32 = icmp samesign ult i64 %29, %31
  br i1 %32, label %23, label %33

33:
  ret void
}

define ptr @exchange_at(ptr noundef %0, ptr noundef readonly captures(none) %1, ptr noundef captures(none) %2) local_unnamed_addr {
  %4 = alloca i32, align 4
  %5 = alloca %struct.Touch, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %4)
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(64) %5, i8 0, i64 64, i1 false)
  %6 = call fastcc ptr @checked(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %5, ptr noundef %4)
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  call void @llvm.lifetime.end.p0(ptr nonnull %4)
  ret ptr %6
}

define void @order_only(ptr noundef %0, i32 noundef %1, ptr noundef %2, i64 noundef %3, i64 noundef %4) local_unnamed_addr {
  %6 = alloca %struct.Touch, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  store ptr %0, ptr %6, align 8
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 8
  store ptr %2, ptr %7, align 8
  %8 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %10 = getelementptr inbounds nuw i8, ptr %2, i64 84
  %11 = load i32, ptr %10, align 4
  %12 = icmp eq i32 %11, 1
  %13 = zext i1 %12 to i64
  %14 = getelementptr inbounds nuw i64, ptr %9, i64 %13
  %15 = load i64, ptr %14, align 8
  store i64 %15, ptr %8, align 8
  %16 = getelementptr inbounds nuw i8, ptr %6, i64 24
  store i64 %3, ptr %16, align 8
  %17 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %18 = add i64 %4, %3
  store i64 %18, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %6, i64 40
  store i32 %1, ptr %19, align 8
  %20 = getelementptr inbounds nuw i8, ptr %6, i64 44
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(20) %20, i8 0, i64 20, i1 false)
  %21 = load ptr, ptr %0, align 8
  %22 = lshr i64 %3, 12
  %23 = add i64 %18, -1
  %24 = lshr i64 %23, 12
  %25 = icmp samesign ugt i64 %22, %24
  br i1 %25, label %44, label %26

26:
  %27 = getelementptr inbounds nuw i8, ptr %2, i64 56
  %28 = getelementptr inbounds nuw i8, ptr %2, i64 80
  br label %29

29:
  %30 = phi i64 [ %22, %26 ], [ %42, %41 ]
  %31 = load ptr, ptr %27, align 8
  %32 = getelementptr inbounds nuw i32, ptr %31, i64 %30
  %33 = load i32, ptr %32, align 4
  %34 = lshr i32 %33, 4
  %35 = load i32, ptr %28, align 8
  %36 = icmp ne i32 %34, %35
  %37 = and i32 %33, 4
  %38 = icmp eq i32 %37, 0
  %39 = or i1 %36, %38
  br i1 %39, label %40, label %41

40:
  tail call void @touch_page(ptr noundef %21, ptr noundef nonnull %2, i64 noundef %30, i32 noundef 1)
  br label %41

41:
  %42 = add nuw nsw i64 %30, 1
  %43 = icmp eq i64 %30, %24
  br i1 %43, label %44, label %29

44:
  %45 = getelementptr inbounds nuw i8, ptr %2, i64 72
  %46 = load ptr, ptr %45, align 8
  %47 = icmp eq ptr %46, null
  br i1 %47, label %93, label %48

48:
  %49 = load ptr, ptr %0, align 8
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 8
  %51 = load ptr, ptr %50, align 8
  %52 = icmp eq ptr %46, %51
  br i1 %52, label %93, label %53

53:
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %55 = load i32, ptr %54, align 8
  %56 = and i32 %55, 32
  %57 = icmp eq i32 %56, 0
  br i1 %57, label %58, label %78

58:
  %59 = and i32 %55, 2
  %60 = icmp ne i32 %59, 0
  %61 = and i32 %55, 12
  %62 = icmp ne i32 %61, 0
  %63 = and i1 %60, %62
  br i1 %63, label %78, label %64

64:
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %66 = load i32, ptr %65, align 8
  %67 = zext i32 %66 to i64
  %68 = shl nuw i64 %67, 32
  %69 = getelementptr inbounds nuw i8, ptr %49, i64 216
  %70 = load i64, ptr %69, align 8
  %71 = or i64 %68, %70
  %72 = getelementptr inbounds nuw i8, ptr %46, i64 120
  %73 = load ptr, ptr %72, align 8
  %74 = getelementptr inbounds nuw i8, ptr %49, i64 28
  %75 = load i32, ptr %74, align 4
  %76 = zext i32 %75 to i64
  %77 = getelementptr inbounds nuw i64, ptr %73, i64 %76
  store i64 %71, ptr %77, align 8
  br label %78

78:
  %79 = getelementptr inbounds nuw i8, ptr %46, i64 20
  %80 = load i32, ptr %79, align 4
  %81 = icmp eq i32 %80, 0
  br i1 %81, label %82, label %93

82:
  %83 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %84 = load i32, ptr %83, align 8
  %85 = zext nneg i32 %1 to i64
  %86 = shl nuw i64 1, %85
  %87 = tail call ptr @lm_hazard(ptr noundef nonnull %49, i32 noundef 9, i32 noundef %84, i64 noundef %86)
  %88 = getelementptr inbounds nuw i8, ptr %46, i64 8
  %89 = load i32, ptr %88, align 8
  %90 = zext i32 %89 to i64
  %91 = getelementptr inbounds nuw i8, ptr %87, i64 48
  store i64 %90, ptr %91, align 8
  %92 = getelementptr inbounds nuw i8, ptr %87, i64 56
  store i64 1, ptr %92, align 8
  br label %93

93:
  call void @touch(ptr noundef nonnull %6)
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  ret void
}

define void @touch(ptr noundef %0) local_unnamed_addr {
  %2 = load ptr, ptr %0, align 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 416
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 4
  %9 = load i32, ptr %8, align 4
  %10 = icmp ugt i32 %9, 1
  br i1 %10, label %11, label %17

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 84
  %15 = load i32, ptr %14, align 4
  %16 = icmp eq i32 %15, 0
  br label %17

17:
  %18 = phi i1 [ false, %1 ], [ %16, %11 ]
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %20 = load i64, ptr %19, align 8
  %21 = lshr i64 %20, 7
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %23 = load i64, ptr %22, align 8
  %24 = add i64 %23, -1
  %25 = lshr i64 %24, 7
  %26 = getelementptr inbounds nuw i8, ptr %5, i64 520
  %27 = load ptr, ptr %26, align 8
  %28 = icmp eq ptr %27, null
  br i1 %28, label %100, label %29

29:
  %30 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %31 = load i32, ptr %30, align 8
  %32 = and i32 %31, 3
  %33 = icmp eq i32 %32, 1
  br i1 %33, label %34, label %100

34:
  %35 = load i64, ptr %27, align 8
  %36 = icmp eq i64 %35, 0
  br i1 %36, label %100, label %37

37:
  %38 = getelementptr inbounds nuw i8, ptr %27, i64 24
  %39 = load ptr, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %41 = load i64, ptr %40, align 8
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %43

43:
  %44 = phi i64 [ 0, %37 ], [ %63, %62 ]
  %45 = getelementptr inbounds nuw %struct.Race, ptr %39, i64 %44
  %46 = load i64, ptr %45, align 8
  %47 = icmp eq i64 %46, %41
  br i1 %47, label %48, label %62

48:
  %49 = load ptr, ptr %42, align 8
  %50 = load i64, ptr %49, align 8
  %51 = getelementptr inbounds nuw i8, ptr %45, i64 8
  %52 = load i64, ptr %51, align 8
  %53 = icmp eq i64 %52, %50
  br i1 %53, label %54, label %62

54:
  %55 = getelementptr inbounds nuw i8, ptr %45, i64 16
  %56 = load i64, ptr %55, align 8
  %57 = icmp ult i64 %56, %23
  br i1 %57, label %58, label %62

58:
  %59 = getelementptr inbounds nuw i8, ptr %45, i64 24
  %60 = load i64, ptr %59, align 8
  %61 = icmp ult i64 %20, %60
  br i1 %61, label %65, label %62

62:
  %63 = add nuw i64 %44, 1
  %64 = icmp eq i64 %63, %35
  br i1 %64, label %100, label %43

65:
  %66 = and i64 %44, 4294967295
  %67 = icmp eq i64 %66, 4294967295
  br i1 %67, label %100, label %68

68:
  %69 = phi i64 [ %89, %88 ], [ 0, %65 ]
  %70 = getelementptr inbounds nuw %struct.Race, ptr %39, i64 %69
  %71 = load i64, ptr %70, align 8
  %72 = icmp eq i64 %71, %41
  br i1 %72, label %73, label %88

73:
  %74 = getelementptr inbounds nuw i8, ptr %70, i64 8
  %75 = load i64, ptr %74, align 8
  %76 = icmp eq i64 %75, %50
  br i1 %76, label %77, label %88

77:
  %78 = getelementptr inbounds nuw i8, ptr %70, i64 16
  %79 = load i64, ptr %78, align 8
  %80 = icmp ult i64 %79, %23
  br i1 %80, label %81, label %88

81:
  %82 = getelementptr inbounds nuw i8, ptr %70, i64 24
  %83 = load i64, ptr %82, align 8
  %84 = icmp ult i64 %20, %83
  br i1 %84, label %85, label %88

85:
  %86 = trunc i64 %69 to i32
  %87 = add i32 %86, 1
  br label %91

88:
  %89 = add nuw i64 %69, 1
  %90 = icmp eq i64 %89, %35
  br i1 %90, label %91, label %68

91:
  %92 = phi i32 [ %87, %85 ], [ 0, %88 ]
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 56
  store i32 %92, ptr %93, align 8
  %94 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %95 = load i32, ptr %94, align 8
  %96 = getelementptr inbounds nuw i8, ptr %0, i64 52
  store i32 %95, ptr %96, align 4
  %97 = icmp ne i32 %95, 0
  %98 = icmp samesign ugt i64 %21, %25
  %99 = select i1 %97, i1 true, i1 %98
  br i1 %99, label %133, label %102

100:
  %101 = icmp samesign ugt i64 %21, %25
  br i1 %101, label %133, label %102

102:
  %103 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %104 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %105 = getelementptr inbounds nuw i8, ptr %0, i64 52
  br label %106

106:
  %107 = phi i64 [ %21, %102 ], [ %131, %130 ]
  %108 = load ptr, ptr %104, align 8
  %109 = getelementptr inbounds nuw i8, ptr %108, i64 92
  %110 = load i32, ptr %109, align 4
  %111 = zext i32 %110 to i64
  %112 = mul nuw nsw i64 %111, 7
  %113 = xor i64 %112, %107
  %114 = and i64 %113, 1023
  %115 = getelementptr inbounds nuw i32, ptr %103, i64 %114
  br i1 %18, label %116, label %119

116:
  %117 = atomicrmw xchg ptr %115, i32 1 acquire, align 4
  %118 = icmp eq i32 %117, 0
  br i1 %118, label %119, label %116

119:
  %120 = load i32, ptr %105, align 4
  %121 = icmp eq i32 %120, 0
  br i1 %121, label %122, label %128

122:
  %123 = load ptr, ptr %104, align 8
  %124 = getelementptr inbounds nuw i8, ptr %123, i64 48
  %125 = load ptr, ptr %124, align 8
  %126 = getelementptr inbounds nuw %struct.Line, ptr %125, i64 %107
  %127 = shl nuw i64 %107, 7
  tail call fastcc void @touch_record(ptr noundef nonnull %0, ptr noundef %126, i64 noundef %127, i64 noundef 128)
  br label %128

128:
  br i1 %18, label %129, label %130

129:
  store atomic i32 0, ptr %115 release, align 4
  br label %130

130:
  %131 = add nuw nsw i64 %107, 1
  %132 = icmp samesign ult i64 %107, %25
  br i1 %132, label %106, label %133

133:
  ret void
}

define void @multiply(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef readonly captures(none) %3) local_unnamed_addr {
  %5 = alloca <16 x float>, align 64
  %6 = alloca <16 x double>, align 128
  %7 = alloca <16 x float>, align 64
  %8 = alloca <16 x double>, align 128
  %9 = alloca [64 x i8], align 64
  %10 = alloca [128 x i8], align 64
  %11 = alloca [64 x i8], align 64
  %12 = alloca <16 x double>, align 128
  %13 = alloca [8 x <16 x float>], align 64
  %14 = alloca [8 x <16 x i32>], align 64
  %15 = alloca <16 x float>, align 64
  %16 = alloca [64 x i8], align 64
  %17 = alloca <16 x float>, align 64
  %18 = alloca [64 x i8], align 64
  %19 = alloca [64 x i8], align 64
  %20 = load i32, ptr %2, align 4
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %22 = load i32, ptr %21, align 4
  switch i32 %20, label %997 [
    i32 1, label %23
    i32 2, label %121
    i32 3, label %618
  ]

23:
  %24 = load i32, ptr %0, align 64
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %1450, label %26

26:
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 208960
  %28 = shl i32 %22, 4
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 208960
  %30 = icmp eq i32 %22, 0
  %31 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %32 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %33 = load i32, ptr %1, align 64
  %34 = zext i32 %22 to i64
  br label %35

35:
  %36 = phi i32 [ %24, %26 ], [ %52, %51 ]
  %37 = phi i32 [ %33, %26 ], [ %53, %51 ]
  %38 = phi i64 [ 0, %26 ], [ %54, %51 ]
  %39 = icmp eq i32 %37, 0
  br i1 %39, label %51, label %40

40:
  %41 = trunc nuw i64 %38 to i32
  %42 = lshr i32 %41, 4
  %43 = mul i32 %28, %42
  %44 = zext i32 %43 to i64
  %45 = getelementptr inbounds nuw i32, ptr %27, i64 %44
  %46 = and i64 %38, 15
  %47 = getelementptr inbounds nuw i32, ptr %45, i64 %46
  %48 = getelementptr inbounds nuw ptr, ptr %3, i64 %38
  br label %57

49:
  %50 = load i32, ptr %0, align 64
  br label %51

51:
  %52 = phi i32 [ %50, %49 ], [ %36, %35 ]
  %53 = phi i32 [ %119, %49 ], [ 0, %35 ]
  %54 = add nuw nsw i64 %38, 1
  %55 = zext i32 %52 to i64
  %56 = icmp samesign ult i64 %54, %55
  br i1 %56, label %35, label %1450

57:
  %58 = phi i32 [ %37, %40 ], [ %119, %108 ]
  %59 = phi i32 [ 0, %40 ], [ %118, %108 ]
  %60 = mul i32 %59, %22
  %61 = zext i32 %60 to i64
  %62 = getelementptr inbounds nuw i32, ptr %29, i64 %61
  call void @llvm.lifetime.start.p0(ptr nonnull %19)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) %19, i8 0, i64 64, i1 false)
  br i1 %30, label %63, label %67

63:
  %64 = phi <16 x i32> [ zeroinitializer, %57 ], [ %79, %67 ]
  %65 = load i32, ptr %31, align 4
  %66 = icmp eq i32 %65, 0
  br i1 %66, label %82, label %95

67:
  %68 = phi i64 [ %80, %67 ], [ 0, %57 ]
  %69 = phi <16 x i32> [ %79, %67 ], [ zeroinitializer, %57 ]
  %70 = shl i64 %68, 4
  %71 = and i64 %70, 4294967280
  %72 = getelementptr inbounds nuw i32, ptr %47, i64 %71
  %73 = load i32, ptr %72, align 4
  %74 = insertelement <16 x i32> poison, i32 %73, i64 0
  %75 = shufflevector <16 x i32> %74, <16 x i32> poison, <16 x i32> zeroinitializer
  %76 = getelementptr inbounds nuw i32, ptr %62, i64 %71
  %77 = load <16 x i32>, ptr %76, align 4
  %78 = mul <16 x i32> %75, %77
  %79 = add <16 x i32> %78, %69
  %80 = add nuw nsw i64 %68, 1
  %81 = icmp eq i64 %80, %34
  br i1 %81, label %63, label %67

82:
  %83 = load ptr, ptr %48, align 8
  %84 = sub i32 %58, %59
  %85 = icmp ugt i32 %84, 15
  %86 = shl i32 %59, 2
  %87 = zext i32 %86 to i64
  %88 = getelementptr inbounds nuw i8, ptr %83, i64 %87
  br i1 %85, label %92, label %89

89:
  %90 = shl nuw nsw i32 %84, 2
  %91 = zext nneg i32 %90 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 64 %19, ptr readonly align 1 %88, i64 %91, i1 false)
  br label %92

92:
  %93 = phi ptr [ %19, %89 ], [ %88, %82 ]
  %94 = load <16 x i32>, ptr %93, align 1
  br label %95

95:
  %96 = phi <16 x i32> [ zeroinitializer, %63 ], [ %94, %92 ]
  %97 = add <16 x i32> %96, %64
  %98 = load i32, ptr %32, align 4
  %99 = icmp eq i32 %98, 0
  br i1 %99, label %108, label %100

100:
  %101 = xor <16 x i32> %97, %64
  %102 = xor <16 x i32> %97, %96
  %103 = and <16 x i32> %101, %102
  %104 = icmp sgt <16 x i32> %96, splat (i32 -1)
  %105 = select <16 x i1> %104, <16 x i32> splat (i32 2147483647), <16 x i32> splat (i32 -2147483648)
  %106 = icmp slt <16 x i32> %103, zeroinitializer
  %107 = select <16 x i1> %106, <16 x i32> %105, <16 x i32> %97
  br label %108

108:
  %109 = phi <16 x i32> [ %107, %100 ], [ %97, %95 ]
  store <16 x i32> %109, ptr %19, align 64
  %110 = load ptr, ptr %48, align 8
  %111 = sub i32 %58, %59
  %112 = tail call i32 @llvm.umin.i32(i32 %111, i32 16)
  %113 = shl i32 %59, 2
  %114 = zext i32 %113 to i64
  %115 = getelementptr inbounds nuw i8, ptr %110, i64 %114
  %116 = shl nuw nsw i32 %112, 2
  %117 = zext nneg i32 %116 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %115, ptr nonnull readonly align 64 %19, i64 %117, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %19)
  %118 = add i32 %59, 16
  %119 = load i32, ptr %1, align 64
  %120 = icmp ult i32 %118, %119
  br i1 %120, label %57, label %49

121:
  %122 = load i32, ptr %0, align 64
  %123 = icmp eq i32 %122, 0
  br i1 %123, label %1450, label %124

124:
  %125 = shl i32 %22, 4
  %126 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %127 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %128 = getelementptr inbounds nuw i8, ptr %0, i64 4112
  %129 = getelementptr inbounds nuw i8, ptr %1, i64 4112
  %130 = getelementptr inbounds nuw i8, ptr %0, i64 8208
  %131 = getelementptr inbounds nuw i8, ptr %1, i64 8208
  %132 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %133 = getelementptr inbounds nuw i8, ptr %2, i64 4
  %134 = icmp eq i32 %22, 0
  %135 = getelementptr inbounds nuw i8, ptr %0, i64 143424
  %136 = getelementptr inbounds nuw i8, ptr %1, i64 143424
  %137 = getelementptr inbounds nuw i8, ptr %0, i64 274496
  %138 = getelementptr inbounds nuw i8, ptr %1, i64 274496
  %139 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %140 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %141 = getelementptr inbounds nuw i8, ptr %0, i64 311360
  %142 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %143 = getelementptr inbounds nuw i8, ptr %1, i64 311360
  %144 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %145 = getelementptr inbounds nuw i8, ptr %2, i64 20
  %146 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %147 = getelementptr inbounds nuw i8, ptr %2, i64 12
  %148 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %149 = getelementptr inbounds nuw i8, ptr %2, i64 28
  %150 = getelementptr inbounds nuw i8, ptr %2, i64 36
  %151 = load i32, ptr %1, align 64
  br label %152

152:
  %153 = phi i32 [ %122, %124 ], [ %171, %170 ]
  %154 = phi i32 [ %151, %124 ], [ %172, %170 ]
  %155 = phi i64 [ 0, %124 ], [ %173, %170 ]
  %156 = icmp eq i32 %154, 0
  br i1 %156, label %170, label %157

157:
  %158 = trunc nuw i64 %155 to i32
  %159 = lshr i32 %158, 4
  %160 = mul i32 %125, %159
  %161 = and i32 %158, 15
  %162 = or disjoint i32 %160, %161
  %163 = zext nneg i32 %159 to i64
  %164 = getelementptr inbounds nuw i32, ptr %126, i64 %163
  %165 = getelementptr inbounds nuw i32, ptr %128, i64 %163
  %166 = getelementptr inbounds nuw i32, ptr %130, i64 %163
  %167 = getelementptr inbounds nuw ptr, ptr %3, i64 %155
  br label %176

168:
  %169 = load i32, ptr %0, align 64
  br label %170

170:
  %171 = phi i32 [ %169, %168 ], [ %153, %152 ]
  %172 = phi i32 [ %325, %168 ], [ 0, %152 ]
  %173 = add nuw nsw i64 %155, 1
  %174 = zext i32 %171 to i64
  %175 = icmp samesign ult i64 %173, %174
  br i1 %175, label %152, label %1450

176:
  %177 = phi i32 [ %154, %157 ], [ %325, %323 ]
  %178 = phi i32 [ 0, %157 ], [ %324, %323 ]
  %179 = lshr exact i32 %178, 4
  %180 = mul i32 %178, %22
  %181 = load i32, ptr %164, align 4
  %182 = zext nneg i32 %179 to i64
  %183 = getelementptr inbounds nuw i32, ptr %127, i64 %182
  %184 = load i32, ptr %183, align 4
  %185 = or i32 %184, %181
  %186 = load i32, ptr %165, align 4
  %187 = getelementptr inbounds nuw i32, ptr %129, i64 %182
  %188 = load i32, ptr %187, align 4
  %189 = add nsw i32 %188, %186
  %190 = icmp slt i32 %189, -100
  br i1 %190, label %197, label %191

191:
  %192 = load i32, ptr %166, align 4
  %193 = getelementptr inbounds nuw i32, ptr %131, i64 %182
  %194 = load i32, ptr %193, align 4
  %195 = add nsw i32 %194, %192
  %196 = icmp slt i32 %195, 125
  br label %197

197:
  %198 = phi i1 [ false, %176 ], [ %196, %191 ]
  %199 = load ptr, ptr %167, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %18)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) %18, i8 0, i64 64, i1 false)
  %200 = load i32, ptr %132, align 4
  %201 = icmp eq i32 %200, 0
  br i1 %201, label %202, label %242

202:
  %203 = load i32, ptr %133, align 4
  %204 = icmp eq i32 %203, 2
  %205 = icmp eq i32 %203, 3
  %206 = sub i32 %177, %178
  %207 = icmp ugt i32 %206, 15
  %208 = select i1 %205, i32 1, i32 2
  %209 = select i1 %204, i32 3, i32 %208
  %210 = shl i32 %178, %209
  %211 = zext i32 %210 to i64
  %212 = getelementptr inbounds nuw i8, ptr %199, i64 %211
  br i1 %207, label %216, label %213

213:
  %214 = shl nuw nsw i32 %206, %209
  %215 = zext nneg i32 %214 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 64 %18, ptr readonly align 1 %212, i64 %215, i1 false)
  br label %216

216:
  %217 = phi ptr [ %18, %213 ], [ %212, %202 ]
  %218 = icmp eq i32 %203, 0
  br i1 %218, label %219, label %221

219:
  %220 = load <16 x float>, ptr %217, align 1
  br label %242

221:
  %222 = load <16 x i16>, ptr %217, align 1
  %223 = and <16 x i16> %222, splat (i16 32767)
  %224 = zext nneg <16 x i16> %223 to <16 x i32>
  %225 = shl nuw nsw <16 x i32> %224, splat (i32 13)
  %226 = add nuw nsw <16 x i32> %225, splat (i32 947912704)
  %227 = bitcast <16 x i32> %226 to <16 x float>
  %228 = fadd <16 x float> %227, splat (float 0xBF10000000000000)
  %229 = bitcast <16 x float> %228 to <16 x i32>
  %230 = add nuw nsw <16 x i32> %225, splat (i32 939524096)
  %231 = icmp samesign ult <16 x i16> %223, splat (i16 1024)
  %232 = select <16 x i1> %231, <16 x i32> %229, <16 x i32> %230
  %233 = or <16 x i32> %225, splat (i32 2143289344)
  %234 = icmp samesign ugt <16 x i16> %223, splat (i16 31744)
  %235 = icmp eq <16 x i16> %223, splat (i16 31744)
  %236 = select <16 x i1> %235, <16 x i32> splat (i32 2139095040), <16 x i32> %232
  %237 = select <16 x i1> %234, <16 x i32> %233, <16 x i32> %236
  %238 = sext <16 x i16> %222 to <16 x i32>
  %239 = and <16 x i32> %238, splat (i32 -2147483648)
  %240 = or <16 x i32> %237, %239
  %241 = bitcast <16 x i32> %240 to <16 x float>
  br label %242

242:
  %243 = phi <16 x float> [ zeroinitializer, %197 ], [ %220, %219 ], [ %241, %221 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %18)
  br i1 %134, label %277, label %244

244:
  %245 = load i32, ptr %139, align 4
  %246 = load i32, ptr %140, align 8
  %247 = icmp eq i32 %246, 0
  %248 = load i32, ptr %142, align 8
  %249 = icmp eq i32 %248, 0
  %250 = load i32, ptr %145, align 4
  %251 = insertelement <16 x i32> poison, i32 %250, i64 0
  %252 = shufflevector <16 x i32> %251, <16 x i32> poison, <16 x i32> zeroinitializer
  %253 = shl i32 %250, 23
  %254 = sub i32 1065353216, %253
  %255 = insertelement <16 x i32> poison, i32 %254, i64 0
  %256 = bitcast <16 x i32> %255 to <16 x float>
  %257 = shufflevector <16 x float> %256, <16 x float> poison, <16 x i32> zeroinitializer
  %258 = load i32, ptr %146, align 4
  %259 = insertelement <16 x i32> poison, i32 %258, i64 0
  %260 = shufflevector <16 x i32> %259, <16 x i32> poison, <16 x i32> zeroinitializer
  %261 = load i32, ptr %147, align 4
  %262 = insertelement <16 x i32> poison, i32 %261, i64 0
  %263 = shufflevector <16 x i32> %262, <16 x i32> poison, <16 x i32> zeroinitializer
  %264 = sub i32 29, %261
  %265 = shl nuw i32 1, %264
  %266 = add nsw i32 %261, %250
  %267 = insertelement <16 x i32> poison, i32 %266, i64 0
  %268 = shufflevector <16 x i32> %267, <16 x i32> poison, <16 x i32> zeroinitializer
  %269 = xor i32 %250, -1
  %270 = zext i32 %269 to i64
  %271 = add nsw i32 %250, 1023
  %272 = zext i32 %271 to i64
  %273 = shl i64 %272, 52
  %274 = insertelement <16 x i64> poison, i64 %273, i64 0
  %275 = shufflevector <16 x i64> %274, <16 x i64> poison, <16 x i32> zeroinitializer
  %276 = icmp ne i32 %185, 0
  br label %327

277:
  %278 = phi <16 x float> [ %243, %242 ], [ %615, %614 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %17)
  %279 = load i32, ptr %133, align 4
  %280 = icmp eq i32 %279, 0
  br i1 %280, label %281, label %289

281:
  %282 = sub i32 %177, %178
  %283 = icmp ugt i32 %282, 15
  br i1 %283, label %284, label %288

284:
  %285 = shl i32 %178, 2
  %286 = zext i32 %285 to i64
  %287 = getelementptr inbounds nuw i8, ptr %199, i64 %286
  store <16 x float> %278, ptr %287, align 1
  br label %323

288:
  store <16 x float> %278, ptr %17, align 64
  br label %312

289:
  %290 = load i32, ptr %150, align 4
  %291 = bitcast <16 x float> %278 to <16 x i32>
  %292 = tail call <16 x float> @llvm.fabs.v16f32(<16 x float> %278)
  %293 = bitcast <16 x float> %292 to <16 x i32>
  %294 = fmul <16 x float> %292, splat (float 0x4170000000000000)
  %295 = fptosi <16 x float> %294 to <16 x i32>
  %296 = lshr <16 x i32> %293, splat (i32 13)
  %297 = add nuw nsw <16 x i32> %296, splat (i32 16384)
  %298 = icmp samesign ult <16 x i32> %293, splat (i32 947912704)
  %299 = select <16 x i1> %298, <16 x i32> %295, <16 x i32> %297
  %300 = icmp samesign ugt <16 x i32> %293, splat (i32 1199570943)
  %301 = select <16 x i1> %300, <16 x i32> splat (i32 31744), <16 x i32> %299
  %302 = lshr <16 x i32> %291, splat (i32 16)
  %303 = and <16 x i32> %302, splat (i32 32768)
  %304 = or <16 x i32> %301, %303
  %305 = icmp samesign ugt <16 x i32> %293, splat (i32 2139095040)
  %306 = insertelement <16 x i32> poison, i32 %290, i64 0
  %307 = shufflevector <16 x i32> %306, <16 x i32> poison, <16 x i32> zeroinitializer
  %308 = select <16 x i1> %305, <16 x i32> %307, <16 x i32> %304
  %309 = trunc <16 x i32> %308 to <16 x i16>
  store <16 x i16> %309, ptr %17, align 64
  %310 = sub i32 %177, %178
  %311 = tail call i32 @llvm.umin.i32(i32 %310, i32 16)
  br label %312

312:
  %313 = phi i32 [ %311, %289 ], [ %282, %288 ]
  %314 = icmp eq i32 %279, 2
  %315 = icmp eq i32 %279, 3
  %316 = select i1 %315, i32 1, i32 2
  %317 = select i1 %314, i32 3, i32 %316
  %318 = shl i32 %178, %317
  %319 = zext i32 %318 to i64
  %320 = getelementptr inbounds nuw i8, ptr %199, i64 %319
  %321 = shl nuw nsw i32 %313, %317
  %322 = zext nneg i32 %321 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %320, ptr nonnull readonly align 64 %17, i64 %322, i1 false)
  br label %323

323:
  call void @llvm.lifetime.end.p0(ptr nonnull %17)
  %324 = add i32 %178, 16
  %325 = load i32, ptr %1, align 64
  %326 = icmp ult i32 %324, %325
  br i1 %326, label %176, label %168

327:
  %328 = phi i32 [ 0, %244 ], [ %616, %614 ]
  %329 = phi <16 x float> [ %243, %244 ], [ %615, %614 ]
  %330 = shl i32 %328, 4
  %331 = add i32 %162, %330
  %332 = add i32 %330, %180
  %333 = zext i32 %331 to i64
  %334 = getelementptr inbounds nuw float, ptr %135, i64 %333
  %335 = zext i32 %332 to i64
  %336 = getelementptr inbounds nuw float, ptr %136, i64 %335
  %337 = getelementptr inbounds nuw i16, ptr %137, i64 %333
  %338 = getelementptr inbounds nuw i16, ptr %138, i64 %335
  %339 = sub nuw i32 %22, %328
  %340 = tail call i32 @llvm.umin.i32(i32 %339, i32 %245)
  br i1 %247, label %354, label %341

341:
  %342 = load i32, ptr %21, align 4
  %343 = udiv i32 %342, %246
  %344 = mul i32 %343, %159
  %345 = udiv i32 %328, %246
  %346 = add i32 %344, %345
  %347 = shl i32 %346, 4
  %348 = or disjoint i32 %347, %161
  %349 = zext i32 %348 to i64
  %350 = getelementptr inbounds nuw i32, ptr %141, i64 %349
  %351 = load i32, ptr %350, align 4
  %352 = insertelement <16 x i32> poison, i32 %351, i64 0
  %353 = shufflevector <16 x i32> %352, <16 x i32> poison, <16 x i32> zeroinitializer
  br label %354

354:
  %355 = phi <16 x i32> [ %353, %341 ], [ zeroinitializer, %327 ]
  br i1 %249, label %368, label %356

356:
  %357 = load i32, ptr %144, align 4
  %358 = udiv i32 %357, %248
  %359 = mul i32 %358, %178
  %360 = zext i32 %359 to i64
  %361 = getelementptr inbounds nuw i32, ptr %143, i64 %360
  %362 = udiv i32 %328, %248
  %363 = shl i32 %362, 4
  %364 = zext i32 %363 to i64
  %365 = getelementptr inbounds nuw i32, ptr %361, i64 %364
  %366 = load <16 x i32>, ptr %365, align 4
  %367 = add <16 x i32> %366, %355
  br label %368

368:
  %369 = phi <16 x i32> [ %367, %356 ], [ %355, %354 ]
  %370 = bitcast <16 x float> %329 to <16 x i32>
  %371 = lshr <16 x i32> %370, splat (i32 23)
  %372 = and <16 x i32> %371, splat (i32 255)
  %373 = add nsw <16 x i32> %372, splat (i32 -127)
  %374 = icmp slt <16 x i32> %373, %252
  %375 = fcmp oeq <16 x float> %329, zeroinitializer
  %376 = and <16 x i32> %370, splat (i32 -2139095041)
  %377 = or disjoint <16 x i32> %376, splat (i32 1065353216)
  %378 = bitcast <16 x i32> %377 to <16 x float>
  %379 = icmp eq <16 x i32> %372, splat (i32 255)
  %380 = fmul <16 x float> %257, %329
  %381 = select <16 x i1> %374, <16 x float> %380, <16 x float> %378
  %382 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %373, <16 x i32> %252)
  %383 = select <16 x i1> %375, <16 x i32> %260, <16 x i32> %382
  %384 = shl i32 %340, 4
  %385 = icmp eq i32 %384, 0
  br i1 %385, label %390, label %386

386:
  %387 = zext i32 %384 to i64
  br label %415

388:
  %389 = sext <16 x i16> %425 to <16 x i32>
  br label %390

390:
  %391 = phi <16 x i32> [ splat (i32 -8192), %368 ], [ %389, %388 ]
  %392 = add <16 x i32> %391, %369
  %393 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %392, <16 x i32> %383)
  %394 = sub <16 x i32> %263, %393
  %395 = add <16 x i32> %394, %383
  %396 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %395, <16 x i32> splat (i32 -127))
  %397 = shl <16 x i32> %396, splat (i32 23)
  %398 = add <16 x i32> %397, splat (i32 1065353216)
  %399 = bitcast <16 x i32> %398 to <16 x float>
  %400 = fmul <16 x float> %381, %399
  %401 = fptosi <16 x float> %400 to <16 x i32>
  %402 = sitofp <16 x i32> %401 to <16 x double>
  %403 = icmp eq i32 %340, 0
  br i1 %403, label %428, label %404

404:
  %405 = add <16 x i32> %394, %369
  %406 = add <16 x i32> %405, splat (i32 1023)
  %407 = zext <16 x i32> %406 to <16 x i64>
  %408 = shl <16 x i64> %407, splat (i64 52)
  %409 = bitcast <16 x i64> %408 to <16 x double>
  %410 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %405, <16 x i32> splat (i32 -126))
  %411 = tail call <16 x i32> @llvm.smin.v16i32(<16 x i32> %410, <16 x i32> splat (i32 127))
  %412 = shl nsw <16 x i32> %411, splat (i32 23)
  %413 = add nsw <16 x i32> %412, splat (i32 1065353216)
  %414 = bitcast <16 x i32> %413 to <16 x float>
  br label %438

415:
  %416 = phi i64 [ 0, %386 ], [ %426, %415 ]
  %417 = phi <16 x i16> [ splat (i16 -8192), %386 ], [ %425, %415 ]
  %418 = getelementptr inbounds nuw i16, ptr %338, i64 %416
  %419 = load <16 x i16>, ptr %418, align 2
  %420 = getelementptr inbounds nuw i16, ptr %337, i64 %416
  %421 = load i16, ptr %420, align 2
  %422 = insertelement <16 x i16> poison, i16 %421, i64 0
  %423 = shufflevector <16 x i16> %422, <16 x i16> poison, <16 x i32> zeroinitializer
  %424 = add <16 x i16> %423, %419
  %425 = tail call <16 x i16> @llvm.smax.v16i16(<16 x i16> %417, <16 x i16> %424)
  %426 = add nuw nsw i64 %416, 16
  %427 = icmp samesign ult i64 %426, %387
  br i1 %427, label %415, label %388

428:
  %429 = phi <16 x double> [ %402, %390 ], [ %491, %488 ]
  %430 = sub <16 x i32> splat (i32 1023), %394
  %431 = zext <16 x i32> %430 to <16 x i64>
  %432 = shl <16 x i64> %431, splat (i64 52)
  %433 = bitcast <16 x i64> %432 to <16 x double>
  %434 = fmul <16 x double> %429, %433
  %435 = icmp slt <16 x i32> %393, %268
  %436 = bitcast <16 x i1> %435 to i16
  %437 = icmp eq i16 %436, 0
  br i1 %437, label %544, label %493

438:
  %439 = phi i32 [ 0, %404 ], [ %443, %488 ]
  %440 = phi <16 x double> [ %402, %404 ], [ %491, %488 ]
  %441 = sub nuw i32 %340, %439
  %442 = icmp ult i32 %441, %265
  %443 = add i32 %439, %265
  %444 = select i1 %442, i32 %340, i32 %443
  %445 = shl i32 %439, 4
  %446 = shl i32 %444, 4
  %447 = icmp ult i32 %445, %446
  br i1 %198, label %469, label %448

448:
  br i1 %447, label %449, label %488

449:
  %450 = zext i32 %445 to i64
  %451 = zext i32 %446 to i64
  br label %452

452:
  %453 = phi i64 [ %450, %449 ], [ %467, %452 ]
  %454 = phi <16 x i32> [ zeroinitializer, %449 ], [ %466, %452 ]
  %455 = getelementptr inbounds nuw float, ptr %336, i64 %453
  %456 = load <16 x float>, ptr %455, align 4
  %457 = fpext <16 x float> %456 to <16 x double>
  %458 = getelementptr inbounds nuw float, ptr %334, i64 %453
  %459 = load float, ptr %458, align 4
  %460 = fpext float %459 to double
  %461 = insertelement <16 x double> poison, double %460, i64 0
  %462 = shufflevector <16 x double> %461, <16 x double> poison, <16 x i32> zeroinitializer
  %463 = fmul <16 x double> %462, %457
  %464 = fmul <16 x double> %463, %409
  %465 = fptosi <16 x double> %464 to <16 x i32>
  %466 = add <16 x i32> %454, %465
  %467 = add nuw nsw i64 %453, 16
  %468 = icmp samesign ult i64 %467, %451
  br i1 %468, label %452, label %488

469:
  br i1 %447, label %470, label %488

470:
  %471 = zext i32 %445 to i64
  %472 = zext i32 %446 to i64
  br label %473

473:
  %474 = phi i64 [ %471, %470 ], [ %486, %473 ]
  %475 = phi <16 x i32> [ zeroinitializer, %470 ], [ %485, %473 ]
  %476 = getelementptr inbounds nuw float, ptr %334, i64 %474
  %477 = load float, ptr %476, align 4
  %478 = insertelement <16 x float> poison, float %477, i64 0
  %479 = shufflevector <16 x float> %478, <16 x float> poison, <16 x i32> zeroinitializer
  %480 = getelementptr inbounds nuw float, ptr %336, i64 %474
  %481 = load <16 x float>, ptr %480, align 4
  %482 = fmul <16 x float> %481, %479
  %483 = fmul <16 x float> %482, %414
  %484 = fptosi <16 x float> %483 to <16 x i32>
  %485 = add <16 x i32> %475, %484
  %486 = add nuw nsw i64 %474, 16
  %487 = icmp samesign ult i64 %486, %472
  br i1 %487, label %473, label %488

488:
  %489 = phi <16 x i32> [ %485, %473 ], [ zeroinitializer, %448 ], [ zeroinitializer, %469 ], [ %466, %452 ]
  %490 = sitofp <16 x i32> %489 to <16 x double>
  %491 = fadd <16 x double> %440, %490
  %492 = icmp ult i32 %443, %340
  br i1 %492, label %438, label %428

493:
  %494 = load i32, ptr %148, align 4
  %495 = zext i32 %494 to i64
  %496 = add nuw nsw i64 %495, %270
  %497 = shl i64 %496, 52
  %498 = add i64 %497, 4607182418800017408
  %499 = insertelement <16 x i64> poison, i64 %498, i64 0
  %500 = bitcast <16 x i64> %499 to <16 x double>
  %501 = shufflevector <16 x double> %500, <16 x double> poison, <16 x i32> zeroinitializer
  %502 = fmul <16 x double> %434, %501
  %503 = load i32, ptr %149, align 4
  %504 = icmp eq i32 %503, 0
  %505 = bitcast <16 x double> %434 to <16 x i64>
  %506 = sub i32 53, %494
  br i1 %504, label %507, label %510

507:
  %508 = fptosi <16 x double> %502 to <16 x i32>
  %509 = sitofp <16 x i32> %508 to <16 x double>
  br label %526

510:
  %511 = fadd <16 x double> %502, splat (double 0x4338000000000000)
  %512 = fadd <16 x double> %511, splat (double 0xC338000000000000)
  %513 = sub i32 52, %494
  %514 = zext nneg i32 %513 to i64
  %515 = shl nsw i64 -1, %514
  %516 = xor i64 %515, -1
  %517 = insertelement <16 x i64> poison, i64 %516, i64 0
  %518 = shufflevector <16 x i64> %517, <16 x i64> poison, <16 x i32> zeroinitializer
  %519 = insertelement <16 x i32> poison, i32 %506, i64 0
  %520 = shufflevector <16 x i32> %519, <16 x i32> poison, <16 x i32> zeroinitializer
  %521 = zext nneg <16 x i32> %520 to <16 x i64>
  %522 = lshr <16 x i64> %505, %521
  %523 = and <16 x i64> %522, splat (i64 1)
  %524 = add <16 x i64> %518, %505
  %525 = add <16 x i64> %524, %523
  br label %526

526:
  %527 = phi <16 x double> [ %512, %510 ], [ %509, %507 ]
  %528 = phi <16 x i64> [ %525, %510 ], [ %505, %507 ]
  %529 = sub i64 4607182418800017408, %497
  %530 = insertelement <16 x i64> poison, i64 %529, i64 0
  %531 = bitcast <16 x i64> %530 to <16 x double>
  %532 = shufflevector <16 x double> %531, <16 x double> poison, <16 x i32> zeroinitializer
  %533 = fmul <16 x double> %532, %527
  %534 = tail call <16 x double> @llvm.fabs.v16f64(<16 x double> %434)
  %535 = bitcast <16 x double> %534 to <16 x i64>
  %536 = icmp sgt <16 x i64> %275, %535
  %537 = zext nneg i32 %506 to i64
  %538 = shl nsw i64 -1, %537
  %539 = insertelement <16 x i64> poison, i64 %538, i64 0
  %540 = shufflevector <16 x i64> %539, <16 x i64> poison, <16 x i32> zeroinitializer
  %541 = and <16 x i64> %528, %540
  %542 = bitcast <16 x i64> %541 to <16 x double>
  %543 = select <16 x i1> %536, <16 x double> %533, <16 x double> %542
  br label %572

544:
  %545 = bitcast <16 x double> %434 to <16 x i64>
  %546 = load i32, ptr %148, align 4
  %547 = sub i32 53, %546
  %548 = load i32, ptr %149, align 4
  %549 = icmp eq i32 %548, 0
  br i1 %549, label %564, label %550

550:
  %551 = sub i32 52, %546
  %552 = zext nneg i32 %551 to i64
  %553 = shl nsw i64 -1, %552
  %554 = xor i64 %553, -1
  %555 = insertelement <16 x i64> poison, i64 %554, i64 0
  %556 = shufflevector <16 x i64> %555, <16 x i64> poison, <16 x i32> zeroinitializer
  %557 = insertelement <16 x i32> poison, i32 %547, i64 0
  %558 = shufflevector <16 x i32> %557, <16 x i32> poison, <16 x i32> zeroinitializer
  %559 = zext nneg <16 x i32> %558 to <16 x i64>
  %560 = lshr <16 x i64> %545, %559
  %561 = and <16 x i64> %560, splat (i64 1)
  %562 = add <16 x i64> %556, %545
  %563 = add <16 x i64> %562, %561
  br label %564

564:
  %565 = phi <16 x i64> [ %563, %550 ], [ %545, %544 ]
  %566 = zext nneg i32 %547 to i64
  %567 = shl nsw i64 -1, %566
  %568 = insertelement <16 x i64> poison, i64 %567, i64 0
  %569 = shufflevector <16 x i64> %568, <16 x i64> poison, <16 x i32> zeroinitializer
  %570 = and <16 x i64> %565, %569
  %571 = bitcast <16 x i64> %570 to <16 x double>
  br label %572

572:
  %573 = phi <16 x double> [ %543, %526 ], [ %571, %564 ]
  %574 = fptrunc <16 x double> %573 to <16 x float>
  %575 = bitcast <16 x i1> %379 to i16
  %576 = icmp ne i16 %575, 0
  %577 = select i1 %276, i1 true, i1 %576
  br i1 %577, label %578, label %614

578:
  %579 = fpext <16 x float> %329 to <16 x double>
  %580 = select <16 x i1> %379, <16 x double> %579, <16 x double> zeroinitializer
  br i1 %385, label %598, label %581

581:
  %582 = zext i32 %384 to i64
  br label %583

583:
  %584 = phi i64 [ 0, %581 ], [ %596, %583 ]
  %585 = phi <16 x double> [ %580, %581 ], [ %595, %583 ]
  %586 = getelementptr inbounds nuw float, ptr %334, i64 %584
  %587 = load float, ptr %586, align 4
  %588 = fpext float %587 to double
  %589 = insertelement <16 x double> poison, double %588, i64 0
  %590 = shufflevector <16 x double> %589, <16 x double> poison, <16 x i32> zeroinitializer
  %591 = getelementptr inbounds nuw float, ptr %336, i64 %584
  %592 = load <16 x float>, ptr %591, align 4
  %593 = fpext <16 x float> %592 to <16 x double>
  %594 = fmul <16 x double> %590, %593
  %595 = fadd <16 x double> %585, %594
  %596 = add nuw nsw i64 %584, 16
  %597 = icmp samesign ult i64 %596, %582
  br i1 %597, label %583, label %598

598:
  %599 = phi <16 x double> [ %580, %578 ], [ %595, %583 ]
  %600 = tail call <16 x double> @llvm.fabs.v16f64(<16 x double> %599)
  %601 = fcmp ueq <16 x double> %600, splat (double 0x7FF0000000000000)
  %602 = select <16 x i1> %601, <16 x double> %599, <16 x double> zeroinitializer
  %603 = fptrunc <16 x double> %602 to <16 x float>
  %604 = tail call <16 x float> @llvm.fabs.v16f32(<16 x float> %603)
  %605 = bitcast <16 x float> %604 to <16 x i32>
  %606 = icmp samesign ugt <16 x i32> %605, splat (i32 2139095039)
  %607 = select <16 x i1> %606, <16 x float> %603, <16 x float> %574
  %608 = icmp samesign ugt <16 x i32> %605, splat (i32 2139095040)
  %609 = load i32, ptr %150, align 4
  %610 = insertelement <16 x i32> poison, i32 %609, i64 0
  %611 = bitcast <16 x i32> %610 to <16 x float>
  %612 = shufflevector <16 x float> %611, <16 x float> poison, <16 x i32> zeroinitializer
  %613 = select <16 x i1> %608, <16 x float> %612, <16 x float> %607
  br label %614

614:
  %615 = phi <16 x float> [ %613, %598 ], [ %574, %572 ]
  %616 = add i32 %328, %245
  %617 = icmp ult i32 %616, %22
  br i1 %617, label %327, label %277

618:
  %619 = lshr i32 %22, 4
  %620 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %621 = load i32, ptr %620, align 4
  %622 = lshr i32 %621, 4
  %623 = load i32, ptr %0, align 64
  %624 = icmp eq i32 %623, 0
  br i1 %624, label %1450, label %625

625:
  %626 = getelementptr inbounds nuw i8, ptr %0, i64 143424
  %627 = shl i32 %22, 4
  %628 = getelementptr inbounds nuw i8, ptr %1, i64 143424
  %629 = and i32 %22, -16
  %630 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %631 = getelementptr inbounds nuw i8, ptr %2, i64 4
  %632 = icmp eq i32 %619, 0
  %633 = getelementptr inbounds nuw i8, ptr %2, i64 20
  %634 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %635 = getelementptr inbounds nuw i8, ptr %0, i64 307264
  %636 = getelementptr inbounds nuw i8, ptr %1, i64 307264
  %637 = getelementptr inbounds nuw i8, ptr %1, i64 315456
  %638 = getelementptr inbounds nuw i8, ptr %0, i64 315456
  %639 = getelementptr inbounds nuw i8, ptr %0, i64 311360
  %640 = getelementptr inbounds nuw i8, ptr %1, i64 311360
  %641 = getelementptr inbounds nuw i8, ptr %2, i64 12
  %642 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %643 = getelementptr inbounds nuw i8, ptr %2, i64 28
  %644 = getelementptr inbounds nuw i8, ptr %2, i64 36
  %645 = tail call i32 @llvm.umin.i32(i32 %622, i32 8)
  %646 = zext nneg i32 %645 to i64
  %647 = zext nneg i32 %619 to i64
  %648 = load i32, ptr %1, align 64
  br label %649

649:
  %650 = phi i32 [ %623, %625 ], [ %669, %668 ]
  %651 = phi i32 [ %648, %625 ], [ %670, %668 ]
  %652 = phi i64 [ 0, %625 ], [ %671, %668 ]
  %653 = icmp eq i32 %651, 0
  br i1 %653, label %668, label %654

654:
  %655 = trunc nuw i64 %652 to i32
  %656 = lshr i32 %655, 4
  %657 = mul i32 %627, %656
  %658 = zext i32 %657 to i64
  %659 = getelementptr inbounds nuw float, ptr %626, i64 %658
  %660 = mul i32 %656, %629
  %661 = and i32 %655, 15
  %662 = or disjoint i32 %660, %661
  %663 = getelementptr inbounds nuw ptr, ptr %3, i64 %652
  %664 = and i64 %652, 15
  %665 = getelementptr inbounds nuw float, ptr %659, i64 %664
  br label %674

666:
  %667 = load i32, ptr %0, align 64
  br label %668

668:
  %669 = phi i32 [ %667, %666 ], [ %650, %649 ]
  %670 = phi i32 [ %828, %666 ], [ 0, %649 ]
  %671 = add nuw nsw i64 %652, 1
  %672 = zext i32 %669 to i64
  %673 = icmp samesign ult i64 %671, %672
  br i1 %673, label %649, label %1450

674:
  %675 = phi i32 [ %651, %654 ], [ %828, %826 ]
  %676 = phi i32 [ 0, %654 ], [ %827, %826 ]
  %677 = mul i32 %676, %22
  %678 = zext i32 %677 to i64
  %679 = getelementptr inbounds nuw float, ptr %628, i64 %678
  %680 = mul i32 %676, %619
  %681 = load ptr, ptr %663, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %16)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) %16, i8 0, i64 64, i1 false)
  %682 = load i32, ptr %630, align 4
  %683 = icmp eq i32 %682, 0
  br i1 %683, label %684, label %724

684:
  %685 = load i32, ptr %631, align 4
  %686 = icmp eq i32 %685, 2
  %687 = icmp eq i32 %685, 3
  %688 = sub i32 %675, %676
  %689 = icmp ugt i32 %688, 15
  %690 = select i1 %687, i32 1, i32 2
  %691 = select i1 %686, i32 3, i32 %690
  %692 = shl i32 %676, %691
  %693 = zext i32 %692 to i64
  %694 = getelementptr inbounds nuw i8, ptr %681, i64 %693
  br i1 %689, label %698, label %695

695:
  %696 = shl nuw nsw i32 %688, %691
  %697 = zext nneg i32 %696 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 64 %16, ptr readonly align 1 %694, i64 %697, i1 false)
  br label %698

698:
  %699 = phi ptr [ %16, %695 ], [ %694, %684 ]
  %700 = icmp eq i32 %685, 0
  br i1 %700, label %701, label %703

701:
  %702 = load <16 x float>, ptr %699, align 1
  br label %724

703:
  %704 = load <16 x i16>, ptr %699, align 1
  %705 = and <16 x i16> %704, splat (i16 32767)
  %706 = zext nneg <16 x i16> %705 to <16 x i32>
  %707 = shl nuw nsw <16 x i32> %706, splat (i32 13)
  %708 = add nuw nsw <16 x i32> %707, splat (i32 947912704)
  %709 = bitcast <16 x i32> %708 to <16 x float>
  %710 = fadd <16 x float> %709, splat (float 0xBF10000000000000)
  %711 = bitcast <16 x float> %710 to <16 x i32>
  %712 = add nuw nsw <16 x i32> %707, splat (i32 939524096)
  %713 = icmp samesign ult <16 x i16> %705, splat (i16 1024)
  %714 = select <16 x i1> %713, <16 x i32> %711, <16 x i32> %712
  %715 = or <16 x i32> %707, splat (i32 2143289344)
  %716 = icmp samesign ugt <16 x i16> %705, splat (i16 31744)
  %717 = icmp eq <16 x i16> %705, splat (i16 31744)
  %718 = select <16 x i1> %717, <16 x i32> splat (i32 2139095040), <16 x i32> %714
  %719 = select <16 x i1> %716, <16 x i32> %715, <16 x i32> %718
  %720 = sext <16 x i16> %704 to <16 x i32>
  %721 = and <16 x i32> %720, splat (i32 -2147483648)
  %722 = or <16 x i32> %719, %721
  %723 = bitcast <16 x i32> %722 to <16 x float>
  br label %724

724:
  %725 = phi <16 x float> [ zeroinitializer, %674 ], [ %702, %701 ], [ %723, %703 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %16)
  br i1 %632, label %780, label %726

726:
  %727 = load i32, ptr %633, align 4
  %728 = insertelement <16 x i32> poison, i32 %727, i64 0
  %729 = shufflevector <16 x i32> %728, <16 x i32> poison, <16 x i32> zeroinitializer
  %730 = shl i32 %727, 23
  %731 = sub i32 1065353216, %730
  %732 = insertelement <16 x i32> poison, i32 %731, i64 0
  %733 = bitcast <16 x i32> %732 to <16 x float>
  %734 = shufflevector <16 x float> %733, <16 x float> poison, <16 x i32> zeroinitializer
  %735 = load i32, ptr %634, align 4
  %736 = insertelement <16 x i32> poison, i32 %735, i64 0
  %737 = shufflevector <16 x i32> %736, <16 x i32> poison, <16 x i32> zeroinitializer
  %738 = load i32, ptr %641, align 4
  %739 = insertelement <16 x i32> poison, i32 %738, i64 0
  %740 = shufflevector <16 x i32> %739, <16 x i32> poison, <16 x i32> zeroinitializer
  %741 = load i32, ptr %642, align 4
  %742 = zext i32 %741 to i64
  %743 = xor i32 %727, -1
  %744 = zext i32 %743 to i64
  %745 = add nuw nsw i64 %742, %744
  %746 = shl i64 %745, 52
  %747 = add i64 %746, 4607182418800017408
  %748 = insertelement <16 x i64> poison, i64 %747, i64 0
  %749 = bitcast <16 x i64> %748 to <16 x double>
  %750 = shufflevector <16 x double> %749, <16 x double> poison, <16 x i32> zeroinitializer
  %751 = load i32, ptr %643, align 4
  %752 = icmp eq i32 %751, 0
  %753 = sub i32 53, %741
  %754 = sub i32 52, %741
  %755 = zext nneg i32 %754 to i64
  %756 = shl nsw i64 -1, %755
  %757 = xor i64 %756, -1
  %758 = insertelement <16 x i64> poison, i64 %757, i64 0
  %759 = shufflevector <16 x i64> %758, <16 x i64> poison, <16 x i32> zeroinitializer
  %760 = insertelement <16 x i32> poison, i32 %753, i64 0
  %761 = shufflevector <16 x i32> %760, <16 x i32> poison, <16 x i32> zeroinitializer
  %762 = zext nneg <16 x i32> %761 to <16 x i64>
  %763 = sub i64 4607182418800017408, %746
  %764 = insertelement <16 x i64> poison, i64 %763, i64 0
  %765 = bitcast <16 x i64> %764 to <16 x double>
  %766 = shufflevector <16 x double> %765, <16 x double> poison, <16 x i32> zeroinitializer
  %767 = add nsw i32 %727, 1023
  %768 = zext i32 %767 to i64
  %769 = shl i64 %768, 52
  %770 = insertelement <16 x i64> poison, i64 %769, i64 0
  %771 = shufflevector <16 x i64> %770, <16 x i64> poison, <16 x i32> zeroinitializer
  %772 = zext nneg i32 %753 to i64
  %773 = shl nsw i64 -1, %772
  %774 = insertelement <16 x i64> poison, i64 %773, i64 0
  %775 = shufflevector <16 x i64> %774, <16 x i64> poison, <16 x i32> zeroinitializer
  %776 = load i32, ptr %644, align 4
  %777 = insertelement <16 x i32> poison, i32 %776, i64 0
  %778 = bitcast <16 x i32> %777 to <16 x float>
  %779 = shufflevector <16 x float> %778, <16 x float> poison, <16 x i32> zeroinitializer
  br label %830

780:
  %781 = phi <16 x float> [ %725, %724 ], [ %994, %978 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %15)
  %782 = load i32, ptr %631, align 4
  %783 = icmp eq i32 %782, 0
  br i1 %783, label %784, label %792

784:
  %785 = sub i32 %675, %676
  %786 = icmp ugt i32 %785, 15
  br i1 %786, label %787, label %791

787:
  %788 = shl i32 %676, 2
  %789 = zext i32 %788 to i64
  %790 = getelementptr inbounds nuw i8, ptr %681, i64 %789
  store <16 x float> %781, ptr %790, align 1
  br label %826

791:
  store <16 x float> %781, ptr %15, align 64
  br label %815

792:
  %793 = load i32, ptr %644, align 4
  %794 = bitcast <16 x float> %781 to <16 x i32>
  %795 = tail call <16 x float> @llvm.fabs.v16f32(<16 x float> %781)
  %796 = bitcast <16 x float> %795 to <16 x i32>
  %797 = fmul <16 x float> %795, splat (float 0x4170000000000000)
  %798 = fptosi <16 x float> %797 to <16 x i32>
  %799 = lshr <16 x i32> %796, splat (i32 13)
  %800 = add nuw nsw <16 x i32> %799, splat (i32 16384)
  %801 = icmp samesign ult <16 x i32> %796, splat (i32 947912704)
  %802 = select <16 x i1> %801, <16 x i32> %798, <16 x i32> %800
  %803 = icmp samesign ugt <16 x i32> %796, splat (i32 1199570943)
  %804 = select <16 x i1> %803, <16 x i32> splat (i32 31744), <16 x i32> %802
  %805 = lshr <16 x i32> %794, splat (i32 16)
  %806 = and <16 x i32> %805, splat (i32 32768)
  %807 = or <16 x i32> %804, %806
  %808 = icmp samesign ugt <16 x i32> %796, splat (i32 2139095040)
  %809 = insertelement <16 x i32> poison, i32 %793, i64 0
  %810 = shufflevector <16 x i32> %809, <16 x i32> poison, <16 x i32> zeroinitializer
  %811 = select <16 x i1> %808, <16 x i32> %810, <16 x i32> %807
  %812 = trunc <16 x i32> %811 to <16 x i16>
  store <16 x i16> %812, ptr %15, align 64
  %813 = sub i32 %675, %676
  %814 = tail call i32 @llvm.umin.i32(i32 %813, i32 16)
  br label %815

815:
  %816 = phi i32 [ %814, %792 ], [ %785, %791 ]
  %817 = icmp eq i32 %782, 2
  %818 = icmp eq i32 %782, 3
  %819 = select i1 %818, i32 1, i32 2
  %820 = select i1 %817, i32 3, i32 %819
  %821 = shl i32 %676, %820
  %822 = zext i32 %821 to i64
  %823 = getelementptr inbounds nuw i8, ptr %681, i64 %822
  %824 = shl nuw nsw i32 %816, %820
  %825 = zext nneg i32 %824 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %823, ptr nonnull readonly align 64 %15, i64 %825, i1 false)
  br label %826

826:
  call void @llvm.lifetime.end.p0(ptr nonnull %15)
  %827 = add i32 %676, 16
  %828 = load i32, ptr %1, align 64
  %829 = icmp ult i32 %827, %828
  br i1 %829, label %674, label %666

830:
  %831 = phi i64 [ 0, %726 ], [ %995, %978 ]
  %832 = phi <16 x float> [ %725, %726 ], [ %994, %978 ]
  %833 = trunc i64 %831 to i32
  %834 = sub i32 %619, %833
  %835 = tail call i32 @llvm.umin.i32(i32 %622, i32 %834)
  %836 = tail call i32 @llvm.umin.i32(i32 %835, i32 8)
  call void @llvm.lifetime.start.p0(ptr nonnull %13)
  call void @llvm.lifetime.start.p0(ptr nonnull %14)
  %837 = bitcast <16 x float> %832 to <16 x i32>
  %838 = lshr <16 x i32> %837, splat (i32 23)
  %839 = and <16 x i32> %838, splat (i32 255)
  %840 = add nsw <16 x i32> %839, splat (i32 -127)
  %841 = icmp slt <16 x i32> %840, %729
  %842 = fcmp oeq <16 x float> %832, zeroinitializer
  %843 = and <16 x i32> %837, splat (i32 -2139095041)
  %844 = or disjoint <16 x i32> %843, splat (i32 1065353216)
  %845 = bitcast <16 x i32> %844 to <16 x float>
  %846 = icmp eq <16 x i32> %839, splat (i32 255)
  %847 = fmul <16 x float> %734, %832
  %848 = select <16 x i1> %841, <16 x float> %847, <16 x float> %845
  %849 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %840, <16 x i32> %729)
  %850 = select <16 x i1> %842, <16 x i32> %737, <16 x i32> %849
  %851 = icmp eq i32 %835, 0
  br i1 %851, label %868, label %852

852:
  %853 = shl i32 %833, 4
  %854 = add i32 %853, %680
  %855 = add i32 %662, %853
  %856 = shl i64 %831, 8
  %857 = and i64 %856, 4294967040
  %858 = getelementptr inbounds nuw float, ptr %679, i64 %857
  %859 = getelementptr inbounds nuw float, ptr %665, i64 %857
  %860 = zext nneg i32 %836 to i64
  br label %861

861:
  %862 = phi i64 [ 0, %852 ], [ %917, %883 ]
  %863 = phi ptr [ %859, %852 ], [ %884, %883 ]
  %864 = phi ptr [ %858, %852 ], [ %885, %883 ]
  %865 = phi i32 [ %855, %852 ], [ %918, %883 ]
  %866 = phi i32 [ %854, %852 ], [ %919, %883 ]
  %867 = phi <16 x i32> [ %850, %852 ], [ %916, %883 ]
  br label %921

868:
  %869 = phi <16 x i32> [ %850, %830 ], [ %916, %883 ]
  %870 = sub <16 x i32> %740, %869
  %871 = fpext <16 x float> %848 to <16 x double>
  %872 = add <16 x i32> %870, %850
  %873 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %872, <16 x i32> splat (i32 -1022))
  %874 = add <16 x i32> %873, splat (i32 1023)
  %875 = zext <16 x i32> %874 to <16 x i64>
  %876 = shl <16 x i64> %875, splat (i64 52)
  %877 = bitcast <16 x i64> %876 to <16 x double>
  %878 = fmul <16 x double> %871, %877
  %879 = tail call <16 x double> @llvm.trunc.v16f64(<16 x double> %878)
  %880 = select <16 x i1> %846, <16 x float> %832, <16 x float> zeroinitializer
  br i1 %851, label %936, label %881

881:
  %882 = zext nneg i32 %836 to i64
  br label %957

883:
  %884 = getelementptr i8, ptr %863, i64 1024
  %885 = getelementptr i8, ptr %864, i64 1024
  %886 = zext i32 %865 to i64
  %887 = getelementptr inbounds nuw float, ptr %635, i64 %886
  %888 = load float, ptr %887, align 4
  %889 = insertelement <16 x float> poison, float %888, i64 0
  %890 = shufflevector <16 x float> %889, <16 x float> poison, <16 x i32> zeroinitializer
  %891 = zext i32 %866 to i64
  %892 = getelementptr inbounds nuw float, ptr %636, i64 %891
  %893 = load <16 x float>, ptr %892, align 4
  %894 = fmul <16 x float> %893, %890
  %895 = getelementptr inbounds nuw i32, ptr %637, i64 %891
  %896 = load <16 x i32>, ptr %895, align 4
  %897 = getelementptr inbounds nuw i32, ptr %638, i64 %886
  %898 = load i32, ptr %897, align 4
  %899 = insertelement <16 x i32> poison, i32 %898, i64 0
  %900 = shufflevector <16 x i32> %899, <16 x i32> poison, <16 x i32> zeroinitializer
  %901 = and <16 x i32> %900, %896
  %902 = icmp eq <16 x i32> %901, zeroinitializer
  %903 = fcmp oeq <16 x float> %894, zeroinitializer
  %904 = or <16 x i1> %903, %902
  %905 = getelementptr inbounds nuw i32, ptr %639, i64 %886
  %906 = load i32, ptr %905, align 4
  %907 = insertelement <16 x i32> poison, i32 %906, i64 0
  %908 = shufflevector <16 x i32> %907, <16 x i32> poison, <16 x i32> zeroinitializer
  %909 = getelementptr inbounds nuw i32, ptr %640, i64 %891
  %910 = load <16 x i32>, ptr %909, align 4
  %911 = add <16 x i32> %908, %910
  %912 = select <16 x i1> %904, <16 x i32> %737, <16 x i32> %911
  %913 = getelementptr inbounds nuw <16 x i32>, ptr %14, i64 %862
  store <16 x i32> %912, ptr %913, align 64
  %914 = fmul <16 x float> %931, %894
  %915 = getelementptr inbounds nuw <16 x float>, ptr %13, i64 %862
  store <16 x float> %914, ptr %915, align 64
  %916 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %867, <16 x i32> %912)
  %917 = add nuw nsw i64 %862, 1
  %918 = add i32 %865, 16
  %919 = add i32 %866, 16
  %920 = icmp eq i64 %917, %860
  br i1 %920, label %868, label %861

921:
  %922 = phi ptr [ %863, %861 ], [ %933, %921 ]
  %923 = phi ptr [ %864, %861 ], [ %934, %921 ]
  %924 = phi <16 x float> [ zeroinitializer, %861 ], [ %931, %921 ]
  %925 = phi i32 [ 0, %861 ], [ %932, %921 ]
  %926 = load float, ptr %922, align 4
  %927 = insertelement <16 x float> poison, float %926, i64 0
  %928 = shufflevector <16 x float> %927, <16 x float> poison, <16 x i32> zeroinitializer
  %929 = load <16 x float>, ptr %923, align 4
  %930 = fmul <16 x float> %929, %928
  %931 = fadd <16 x float> %924, %930
  %932 = add nuw nsw i32 %925, 1
  %933 = getelementptr inbounds nuw i8, ptr %922, i64 64
  %934 = getelementptr inbounds nuw i8, ptr %923, i64 64
  %935 = icmp eq i32 %932, 16
  br i1 %935, label %883, label %921

936:
  %937 = phi <16 x double> [ %879, %868 ], [ %974, %957 ]
  %938 = phi <16 x float> [ %880, %868 ], [ %975, %957 ]
  %939 = sub <16 x i32> %869, %740
  %940 = add <16 x i32> %939, splat (i32 1023)
  %941 = zext <16 x i32> %940 to <16 x i64>
  %942 = shl <16 x i64> %941, splat (i64 52)
  %943 = bitcast <16 x i64> %942 to <16 x double>
  %944 = fmul <16 x double> %937, %943
  %945 = fmul <16 x double> %750, %944
  %946 = bitcast <16 x double> %944 to <16 x i64>
  br i1 %752, label %947, label %950

947:
  %948 = fptosi <16 x double> %945 to <16 x i32>
  %949 = sitofp <16 x i32> %948 to <16 x double>
  br label %978

950:
  %951 = fadd <16 x double> %945, splat (double 0x4338000000000000)
  %952 = fadd <16 x double> %951, splat (double 0xC338000000000000)
  %953 = lshr <16 x i64> %946, %762
  %954 = and <16 x i64> %953, splat (i64 1)
  %955 = add <16 x i64> %759, %946
  %956 = add <16 x i64> %955, %954
  br label %978

957:
  %958 = phi i64 [ 0, %881 ], [ %976, %957 ]
  %959 = phi <16 x float> [ %880, %881 ], [ %975, %957 ]
  %960 = phi <16 x double> [ %879, %881 ], [ %974, %957 ]
  %961 = getelementptr inbounds nuw <16 x float>, ptr %13, i64 %958
  %962 = load <16 x float>, ptr %961, align 64
  %963 = fpext <16 x float> %962 to <16 x double>
  %964 = getelementptr inbounds nuw <16 x i32>, ptr %14, i64 %958
  %965 = load <16 x i32>, ptr %964, align 64
  %966 = add <16 x i32> %965, %870
  %967 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %966, <16 x i32> splat (i32 -1022))
  %968 = add <16 x i32> %967, splat (i32 1023)
  %969 = zext <16 x i32> %968 to <16 x i64>
  %970 = shl <16 x i64> %969, splat (i64 52)
  %971 = bitcast <16 x i64> %970 to <16 x double>
  %972 = fmul <16 x double> %963, %971
  %973 = tail call <16 x double> @llvm.trunc.v16f64(<16 x double> %972)
  %974 = fadd <16 x double> %960, %973
  %975 = fadd <16 x float> %959, %962
  %976 = add nuw nsw i64 %958, 1
  %977 = icmp eq i64 %976, %882
  br i1 %977, label %936, label %957

978:
  %979 = phi <16 x double> [ %952, %950 ], [ %949, %947 ]
  %980 = phi <16 x i64> [ %956, %950 ], [ %946, %947 ]
  %981 = fmul <16 x double> %766, %979
  %982 = tail call <16 x double> @llvm.fabs.v16f64(<16 x double> %944)
  %983 = bitcast <16 x double> %982 to <16 x i64>
  %984 = icmp sgt <16 x i64> %771, %983
  %985 = and <16 x i64> %980, %775
  %986 = bitcast <16 x i64> %985 to <16 x double>
  %987 = select <16 x i1> %984, <16 x double> %981, <16 x double> %986
  %988 = fptrunc <16 x double> %987 to <16 x float>
  %989 = tail call <16 x float> @llvm.fabs.v16f32(<16 x float> %938)
  %990 = bitcast <16 x float> %989 to <16 x i32>
  %991 = icmp samesign ugt <16 x i32> %990, splat (i32 2139095039)
  %992 = select <16 x i1> %991, <16 x float> %938, <16 x float> %988
  %993 = icmp samesign ugt <16 x i32> %990, splat (i32 2139095040)
  %994 = select <16 x i1> %993, <16 x float> %779, <16 x float> %992
  call void @llvm.lifetime.end.p0(ptr nonnull %14)
  call void @llvm.lifetime.end.p0(ptr nonnull %13)
  %995 = add nuw nsw i64 %831, %646
  %996 = icmp samesign ult i64 %995, %647
  br i1 %996, label %830, label %780

997:
  %998 = load i32, ptr %0, align 64
  %999 = icmp eq i32 %998, 0
  br i1 %999, label %1450, label %1000

1000:
  %1001 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %1002 = shl i32 %22, 4
  %1003 = getelementptr inbounds nuw i8, ptr %1, i64 12352
  %1004 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %1005 = getelementptr inbounds nuw i8, ptr %2, i64 4
  %1006 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %1007 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %1008 = icmp eq i32 %22, 0
  %1009 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %1010 = getelementptr inbounds nuw i8, ptr %2, i64 20
  %1011 = getelementptr inbounds nuw i8, ptr %2, i64 28
  %1012 = getelementptr inbounds nuw i8, ptr %2, i64 36
  %1013 = load i32, ptr %1, align 64
  br label %1014

1014:
  %1015 = phi i32 [ %998, %1000 ], [ %1037, %1036 ]
  %1016 = phi i32 [ %1013, %1000 ], [ %1038, %1036 ]
  %1017 = phi i32 [ 0, %1000 ], [ %1039, %1036 ]
  %1018 = icmp eq i32 %1016, 0
  br i1 %1018, label %1036, label %1019

1019:
  %1020 = lshr i32 %1017, 4
  %1021 = mul i32 %1002, %1020
  %1022 = zext i32 %1021 to i64
  %1023 = getelementptr inbounds nuw double, ptr %1001, i64 %1022
  %1024 = and i32 %1017, 14
  %1025 = zext nneg i32 %1024 to i64
  %1026 = getelementptr inbounds nuw double, ptr %1023, i64 %1025
  %1027 = zext i32 %1017 to i64
  %1028 = getelementptr inbounds nuw ptr, ptr %3, i64 %1027
  %1029 = or disjoint i32 %1017, 1
  %1030 = zext i32 %1029 to i64
  %1031 = getelementptr inbounds nuw ptr, ptr %3, i64 %1030
  %1032 = zext nneg i32 %1020 to i64
  %1033 = getelementptr inbounds nuw i32, ptr %1006, i64 %1032
  br label %1041

1034:
  %1035 = load i32, ptr %0, align 64
  br label %1036

1036:
  %1037 = phi i32 [ %1035, %1034 ], [ %1015, %1014 ]
  %1038 = phi i32 [ %1448, %1034 ], [ 0, %1014 ]
  %1039 = add i32 %1017, 2
  %1040 = icmp ult i32 %1039, %1037
  br i1 %1040, label %1014, label %1450

1041:
  %1042 = phi i32 [ %1016, %1019 ], [ %1448, %1446 ]
  %1043 = phi i32 [ 0, %1019 ], [ %1447, %1446 ]
  %1044 = mul i32 %1043, %22
  %1045 = zext i32 %1044 to i64
  %1046 = getelementptr inbounds nuw double, ptr %1003, i64 %1045
  %1047 = load ptr, ptr %1028, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  store <16 x double> zeroinitializer, ptr %12, align 128
  %1048 = load i32, ptr %1004, align 4
  %1049 = icmp eq i32 %1048, 0
  br i1 %1049, label %1050, label %1146

1050:
  %1051 = load i32, ptr %1005, align 4
  %1052 = icmp eq i32 %1051, 2
  br i1 %1052, label %1090, label %1053

1053:
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) %11, i8 0, i64 64, i1 false)
  %1054 = icmp eq i32 %1051, 3
  %1055 = sub i32 %1042, %1043
  %1056 = icmp ugt i32 %1055, 15
  %1057 = select i1 %1054, i32 1, i32 2
  %1058 = shl i32 %1043, %1057
  %1059 = zext i32 %1058 to i64
  %1060 = getelementptr inbounds nuw i8, ptr %1047, i64 %1059
  br i1 %1056, label %1064, label %1061

1061:
  %1062 = shl nuw nsw i32 %1055, %1057
  %1063 = zext nneg i32 %1062 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 64 %11, ptr readonly align 1 %1060, i64 %1063, i1 false)
  br label %1064

1064:
  %1065 = phi ptr [ %11, %1061 ], [ %1060, %1053 ]
  %1066 = icmp eq i32 %1051, 0
  br i1 %1066, label %1067, label %1069

1067:
  %1068 = load <16 x float>, ptr %1065, align 1
  br label %1100

1069:
  %1070 = load <16 x i16>, ptr %1065, align 1
  %1071 = and <16 x i16> %1070, splat (i16 32767)
  %1072 = zext nneg <16 x i16> %1071 to <16 x i32>
  %1073 = shl nuw nsw <16 x i32> %1072, splat (i32 13)
  %1074 = add nuw nsw <16 x i32> %1073, splat (i32 947912704)
  %1075 = bitcast <16 x i32> %1074 to <16 x float>
  %1076 = fadd <16 x float> %1075, splat (float 0xBF10000000000000)
  %1077 = bitcast <16 x float> %1076 to <16 x i32>
  %1078 = add nuw nsw <16 x i32> %1073, splat (i32 939524096)
  %1079 = icmp samesign ult <16 x i16> %1071, splat (i16 1024)
  %1080 = select <16 x i1> %1079, <16 x i32> %1077, <16 x i32> %1078
  %1081 = or <16 x i32> %1073, splat (i32 2143289344)
  %1082 = icmp samesign ugt <16 x i16> %1071, splat (i16 31744)
  %1083 = icmp eq <16 x i16> %1071, splat (i16 31744)
  %1084 = select <16 x i1> %1083, <16 x i32> splat (i32 2139095040), <16 x i32> %1080
  %1085 = select <16 x i1> %1082, <16 x i32> %1081, <16 x i32> %1084
  %1086 = sext <16 x i16> %1070 to <16 x i32>
  %1087 = and <16 x i32> %1086, splat (i32 -2147483648)
  %1088 = or <16 x i32> %1085, %1087
  %1089 = bitcast <16 x i32> %1088 to <16 x float>
  br label %1100

1090:
  %1091 = sub i32 %1042, %1043
  %1092 = icmp ugt i32 %1091, 15
  %1093 = shl i32 %1043, 3
  %1094 = zext i32 %1093 to i64
  %1095 = getelementptr inbounds nuw i8, ptr %1047, i64 %1094
  br i1 %1092, label %1096, label %1136

1096:
  %1097 = load <16 x double>, ptr %1095, align 1
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  %1098 = load ptr, ptr %1031, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 64 dereferenceable(128) %10, i8 0, i64 128, i1 false)
  %1099 = getelementptr inbounds nuw i8, ptr %1098, i64 %1094
  br label %1142

1100:
  %1101 = phi <16 x float> [ %1089, %1069 ], [ %1068, %1067 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  %1102 = fpext <16 x float> %1101 to <16 x double>
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  %1103 = load ptr, ptr %1031, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) %9, i8 0, i64 64, i1 false)
  %1104 = getelementptr inbounds nuw i8, ptr %1103, i64 %1059
  br i1 %1056, label %1108, label %1105

1105:
  %1106 = shl nuw nsw i32 %1055, %1057
  %1107 = zext nneg i32 %1106 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 64 %9, ptr readonly align 1 %1104, i64 %1107, i1 false)
  br label %1108

1108:
  %1109 = phi ptr [ %9, %1105 ], [ %1104, %1100 ]
  br i1 %1066, label %1110, label %1112

1110:
  %1111 = load <16 x float>, ptr %1109, align 1
  br label %1133

1112:
  %1113 = load <16 x i16>, ptr %1109, align 1
  %1114 = and <16 x i16> %1113, splat (i16 32767)
  %1115 = zext nneg <16 x i16> %1114 to <16 x i32>
  %1116 = shl nuw nsw <16 x i32> %1115, splat (i32 13)
  %1117 = add nuw nsw <16 x i32> %1116, splat (i32 947912704)
  %1118 = bitcast <16 x i32> %1117 to <16 x float>
  %1119 = fadd <16 x float> %1118, splat (float 0xBF10000000000000)
  %1120 = bitcast <16 x float> %1119 to <16 x i32>
  %1121 = add nuw nsw <16 x i32> %1116, splat (i32 939524096)
  %1122 = icmp samesign ult <16 x i16> %1114, splat (i16 1024)
  %1123 = select <16 x i1> %1122, <16 x i32> %1120, <16 x i32> %1121
  %1124 = or <16 x i32> %1116, splat (i32 2143289344)
  %1125 = icmp samesign ugt <16 x i16> %1114, splat (i16 31744)
  %1126 = icmp eq <16 x i16> %1114, splat (i16 31744)
  %1127 = select <16 x i1> %1126, <16 x i32> splat (i32 2139095040), <16 x i32> %1123
  %1128 = select <16 x i1> %1125, <16 x i32> %1124, <16 x i32> %1127
  %1129 = sext <16 x i16> %1113 to <16 x i32>
  %1130 = and <16 x i32> %1129, splat (i32 -2147483648)
  %1131 = or <16 x i32> %1128, %1130
  %1132 = bitcast <16 x i32> %1131 to <16 x float>
  br label %1133

1133:
  %1134 = phi <16 x float> [ %1132, %1112 ], [ %1111, %1110 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  %1135 = fpext <16 x float> %1134 to <16 x double>
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  br label %1149

1136:
  %1137 = shl nuw nsw i32 %1091, 3
  %1138 = zext nneg i32 %1137 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 128 %12, ptr readonly align 1 %1095, i64 %1138, i1 false)
  %1139 = load <16 x double>, ptr %12, align 128
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  %1140 = load ptr, ptr %1031, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 64 dereferenceable(128) %10, i8 0, i64 128, i1 false)
  %1141 = getelementptr inbounds nuw i8, ptr %1140, i64 %1094
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 64 %10, ptr readonly align 1 %1141, i64 %1138, i1 false)
  br label %1142

1142:
  %1143 = phi <16 x double> [ %1139, %1136 ], [ %1097, %1096 ]
  %1144 = phi ptr [ %10, %1136 ], [ %1099, %1096 ]
  %1145 = load <16 x double>, ptr %1144, align 1
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  br label %1162

1146:
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  %1147 = load i32, ptr %1005, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  %1148 = icmp eq i32 %1147, 2
  br i1 %1148, label %1162, label %1149

1149:
  %1150 = phi <16 x double> [ %1135, %1133 ], [ zeroinitializer, %1146 ]
  %1151 = phi <16 x double> [ %1102, %1133 ], [ zeroinitializer, %1146 ]
  %1152 = phi i32 [ %1051, %1133 ], [ %1147, %1146 ]
  %1153 = load i32, ptr %1033, align 4
  %1154 = icmp eq i32 %1153, 0
  br i1 %1154, label %1155, label %1162

1155:
  %1156 = lshr exact i32 %1043, 4
  %1157 = zext nneg i32 %1156 to i64
  %1158 = getelementptr inbounds nuw i32, ptr %1007, i64 %1157
  %1159 = load i32, ptr %1158, align 4
  %1160 = icmp eq i32 %1159, 0
  br i1 %1160, label %1161, label %1162

1161:
  br i1 %1008, label %1208, label %1188

1162:
  %1163 = phi <16 x double> [ %1145, %1142 ], [ %1150, %1155 ], [ %1150, %1149 ], [ zeroinitializer, %1146 ]
  %1164 = phi <16 x double> [ %1143, %1142 ], [ %1151, %1155 ], [ %1151, %1149 ], [ zeroinitializer, %1146 ]
  %1165 = phi i32 [ 2, %1142 ], [ %1152, %1155 ], [ %1152, %1149 ], [ 2, %1146 ]
  br i1 %1008, label %1208, label %1166

1166:
  %1167 = phi ptr [ %1185, %1166 ], [ %1026, %1162 ]
  %1168 = phi ptr [ %1186, %1166 ], [ %1046, %1162 ]
  %1169 = phi <16 x double> [ %1177, %1166 ], [ %1164, %1162 ]
  %1170 = phi i32 [ %1184, %1166 ], [ 0, %1162 ]
  %1171 = phi <16 x double> [ %1183, %1166 ], [ %1163, %1162 ]
  %1172 = load <16 x double>, ptr %1168, align 8
  %1173 = load double, ptr %1167, align 8
  %1174 = insertelement <16 x double> poison, double %1173, i64 0
  %1175 = shufflevector <16 x double> %1174, <16 x double> poison, <16 x i32> zeroinitializer
  %1176 = fmul <16 x double> %1172, %1175
  %1177 = fadd <16 x double> %1169, %1176
  %1178 = getelementptr inbounds nuw i8, ptr %1167, i64 8
  %1179 = load double, ptr %1178, align 8
  %1180 = insertelement <16 x double> poison, double %1179, i64 0
  %1181 = shufflevector <16 x double> %1180, <16 x double> poison, <16 x i32> zeroinitializer
  %1182 = fmul <16 x double> %1172, %1181
  %1183 = fadd <16 x double> %1171, %1182
  %1184 = add nuw i32 %1170, 1
  %1185 = getelementptr inbounds nuw i8, ptr %1167, i64 128
  %1186 = getelementptr inbounds nuw i8, ptr %1168, i64 128
  %1187 = icmp eq i32 %1184, %22
  br i1 %1187, label %1208, label %1166

1188:
  %1189 = phi i32 [ %1204, %1188 ], [ 0, %1161 ]
  %1190 = phi ptr [ %1205, %1188 ], [ %1026, %1161 ]
  %1191 = phi ptr [ %1206, %1188 ], [ %1046, %1161 ]
  %1192 = phi <16 x double> [ %1198, %1188 ], [ %1151, %1161 ]
  %1193 = phi <16 x double> [ %1203, %1188 ], [ %1150, %1161 ]
  %1194 = load <16 x double>, ptr %1191, align 8
  %1195 = load double, ptr %1190, align 8
  %1196 = insertelement <16 x double> poison, double %1195, i64 0
  %1197 = shufflevector <16 x double> %1196, <16 x double> poison, <16 x i32> zeroinitializer
  %1198 = tail call <16 x double> @llvm.fmuladd.v16f64(<16 x double> %1197, <16 x double> %1194, <16 x double> %1192)
  %1199 = getelementptr inbounds nuw i8, ptr %1190, i64 8
  %1200 = load double, ptr %1199, align 8
  %1201 = insertelement <16 x double> poison, double %1200, i64 0
  %1202 = shufflevector <16 x double> %1201, <16 x double> poison, <16 x i32> zeroinitializer
  %1203 = tail call <16 x double> @llvm.fmuladd.v16f64(<16 x double> %1202, <16 x double> %1194, <16 x double> %1193)
  %1204 = add nuw i32 %1189, 1
  %1205 = getelementptr inbounds nuw i8, ptr %1190, i64 128
  %1206 = getelementptr inbounds nuw i8, ptr %1191, i64 128
  %1207 = icmp eq i32 %1204, %22
  br i1 %1207, label %1208, label %1188

1208:
  %1209 = phi i32 [ %1165, %1166 ], [ %1165, %1162 ], [ %1152, %1161 ], [ %1152, %1188 ]
  %1210 = phi <16 x double> [ %1183, %1166 ], [ %1163, %1162 ], [ %1150, %1161 ], [ %1203, %1188 ]
  %1211 = phi <16 x double> [ %1177, %1166 ], [ %1164, %1162 ], [ %1151, %1161 ], [ %1198, %1188 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  switch i32 %1209, label %1282 [
    i32 2, label %1212
    i32 3, label %1220
  ]

1212:
  store <16 x double> %1211, ptr %8, align 128
  %1213 = sub i32 %1042, %1043
  %1214 = tail call i32 @llvm.umin.i32(i32 %1213, i32 16)
  %1215 = shl i32 %1043, 3
  %1216 = zext i32 %1215 to i64
  %1217 = getelementptr inbounds nuw i8, ptr %1047, i64 %1216
  %1218 = shl nuw nsw i32 %1214, 3
  %1219 = zext nneg i32 %1218 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %1217, ptr nonnull readonly align 128 %8, i64 %1219, i1 false)
  br label %1327

1220:
  %1221 = tail call <16 x double> @llvm.fabs.v16f64(<16 x double> %1211)
  %1222 = fcmp ueq <16 x double> %1221, splat (double 0x7FF0000000000000)
  %1223 = load i32, ptr %1009, align 4
  %1224 = zext i32 %1223 to i64
  %1225 = load i32, ptr %1010, align 4
  %1226 = xor i32 %1225, -1
  %1227 = zext i32 %1226 to i64
  %1228 = add nuw nsw i64 %1227, %1224
  %1229 = shl i64 %1228, 52
  %1230 = add i64 %1229, 4607182418800017408
  %1231 = insertelement <16 x i64> poison, i64 %1230, i64 0
  %1232 = bitcast <16 x i64> %1231 to <16 x double>
  %1233 = shufflevector <16 x double> %1232, <16 x double> poison, <16 x i32> zeroinitializer
  %1234 = fmul <16 x double> %1211, %1233
  %1235 = load i32, ptr %1011, align 4
  %1236 = icmp eq i32 %1235, 0
  %1237 = bitcast <16 x double> %1211 to <16 x i64>
  %1238 = sub i32 53, %1223
  br i1 %1236, label %1239, label %1242

1239:
  %1240 = fptosi <16 x double> %1234 to <16 x i32>
  %1241 = sitofp <16 x i32> %1240 to <16 x double>
  br label %1258

1242:
  %1243 = fadd <16 x double> %1234, splat (double 0x4338000000000000)
  %1244 = fadd <16 x double> %1243, splat (double 0xC338000000000000)
  %1245 = sub i32 52, %1223
  %1246 = zext nneg i32 %1245 to i64
  %1247 = shl nsw i64 -1, %1246
  %1248 = xor i64 %1247, -1
  %1249 = insertelement <16 x i64> poison, i64 %1248, i64 0
  %1250 = shufflevector <16 x i64> %1249, <16 x i64> poison, <16 x i32> zeroinitializer
  %1251 = insertelement <16 x i32> poison, i32 %1238, i64 0
  %1252 = shufflevector <16 x i32> %1251, <16 x i32> poison, <16 x i32> zeroinitializer
  %1253 = zext nneg <16 x i32> %1252 to <16 x i64>
  %1254 = lshr <16 x i64> %1237, %1253
  %1255 = and <16 x i64> %1254, splat (i64 1)
  %1256 = add <16 x i64> %1250, %1237
  %1257 = add <16 x i64> %1256, %1255
  br label %1258

1258:
  %1259 = phi <16 x double> [ %1244, %1242 ], [ %1241, %1239 ]
  %1260 = phi <16 x i64> [ %1257, %1242 ], [ %1237, %1239 ]
  %1261 = sub i64 4607182418800017408, %1229
  %1262 = insertelement <16 x i64> poison, i64 %1261, i64 0
  %1263 = bitcast <16 x i64> %1262 to <16 x double>
  %1264 = shufflevector <16 x double> %1263, <16 x double> poison, <16 x i32> zeroinitializer
  %1265 = fmul <16 x double> %1264, %1259
  %1266 = add nsw i32 %1225, 1023
  %1267 = zext i32 %1266 to i64
  %1268 = shl i64 %1267, 52
  %1269 = insertelement <16 x i64> poison, i64 %1268, i64 0
  %1270 = shufflevector <16 x i64> %1269, <16 x i64> poison, <16 x i32> zeroinitializer
  %1271 = bitcast <16 x double> %1221 to <16 x i64>
  %1272 = icmp sgt <16 x i64> %1270, %1271
  %1273 = zext nneg i32 %1238 to i64
  %1274 = shl nsw i64 -1, %1273
  %1275 = insertelement <16 x i64> poison, i64 %1274, i64 0
  %1276 = shufflevector <16 x i64> %1275, <16 x i64> poison, <16 x i32> zeroinitializer
  %1277 = and <16 x i64> %1260, %1276
  %1278 = bitcast <16 x i64> %1277 to <16 x double>
  %1279 = select <16 x i1> %1272, <16 x double> %1265, <16 x double> %1278
  %1280 = select <16 x i1> %1222, <16 x double> %1211, <16 x double> %1279
  %1281 = fptrunc <16 x double> %1280 to <16 x float>
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  br label %1293

1282:
  %1283 = fptrunc <16 x double> %1211 to <16 x float>
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  %1284 = icmp eq i32 %1209, 0
  br i1 %1284, label %1285, label %1293

1285:
  %1286 = sub i32 %1042, %1043
  %1287 = icmp ugt i32 %1286, 15
  br i1 %1287, label %1288, label %1292

1288:
  %1289 = shl i32 %1043, 2
  %1290 = zext i32 %1289 to i64
  %1291 = getelementptr inbounds nuw i8, ptr %1047, i64 %1290
  store <16 x float> %1283, ptr %1291, align 1
  br label %1326

1292:
  store <16 x float> %1283, ptr %7, align 64
  br label %1317

1293:
  %1294 = phi <16 x float> [ %1281, %1258 ], [ %1283, %1282 ]
  %1295 = load i32, ptr %1012, align 4
  %1296 = bitcast <16 x float> %1294 to <16 x i32>
  %1297 = tail call <16 x float> @llvm.fabs.v16f32(<16 x float> %1294)
  %1298 = bitcast <16 x float> %1297 to <16 x i32>
  %1299 = fmul <16 x float> %1297, splat (float 0x4170000000000000)
  %1300 = fptosi <16 x float> %1299 to <16 x i32>
  %1301 = lshr <16 x i32> %1298, splat (i32 13)
  %1302 = add nuw nsw <16 x i32> %1301, splat (i32 16384)
  %1303 = icmp samesign ult <16 x i32> %1298, splat (i32 947912704)
  %1304 = select <16 x i1> %1303, <16 x i32> %1300, <16 x i32> %1302
  %1305 = icmp samesign ugt <16 x i32> %1298, splat (i32 1199570943)
  %1306 = select <16 x i1> %1305, <16 x i32> splat (i32 31744), <16 x i32> %1304
  %1307 = lshr <16 x i32> %1296, splat (i32 16)
  %1308 = and <16 x i32> %1307, splat (i32 32768)
  %1309 = or <16 x i32> %1306, %1308
  %1310 = icmp samesign ugt <16 x i32> %1298, splat (i32 2139095040)
  %1311 = insertelement <16 x i32> poison, i32 %1295, i64 0
  %1312 = shufflevector <16 x i32> %1311, <16 x i32> poison, <16 x i32> zeroinitializer
  %1313 = select <16 x i1> %1310, <16 x i32> %1312, <16 x i32> %1309
  %1314 = trunc <16 x i32> %1313 to <16 x i16>
  store <16 x i16> %1314, ptr %7, align 64
  %1315 = sub i32 %1042, %1043
  %1316 = tail call i32 @llvm.umin.i32(i32 %1315, i32 16)
  br label %1317

1317:
  %1318 = phi i32 [ %1316, %1293 ], [ %1286, %1292 ]
  %1319 = icmp eq i32 %1209, 3
  %1320 = select i1 %1319, i32 1, i32 2
  %1321 = shl i32 %1043, %1320
  %1322 = zext i32 %1321 to i64
  %1323 = getelementptr inbounds nuw i8, ptr %1047, i64 %1322
  %1324 = shl nuw nsw i32 %1318, %1320
  %1325 = zext nneg i32 %1324 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %1323, ptr nonnull readonly align 64 %7, i64 %1325, i1 false)
  br label %1326

1326:
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  br label %1327

1327:
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  %1328 = load ptr, ptr %1031, align 8
  %1329 = load i32, ptr %1, align 64
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  %1330 = load i32, ptr %1005, align 4
  switch i32 %1330, label %1401 [
    i32 2, label %1331
    i32 3, label %1339
  ]

1331:
  store <16 x double> %1210, ptr %6, align 128
  %1332 = sub i32 %1329, %1043
  %1333 = tail call i32 @llvm.umin.i32(i32 %1332, i32 16)
  %1334 = shl i32 %1043, 3
  %1335 = zext i32 %1334 to i64
  %1336 = getelementptr inbounds nuw i8, ptr %1328, i64 %1335
  %1337 = shl nuw nsw i32 %1333, 3
  %1338 = zext nneg i32 %1337 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %1336, ptr nonnull readonly align 128 %6, i64 %1338, i1 false)
  br label %1446

1339:
  %1340 = tail call <16 x double> @llvm.fabs.v16f64(<16 x double> %1210)
  %1341 = fcmp ueq <16 x double> %1340, splat (double 0x7FF0000000000000)
  %1342 = load i32, ptr %1009, align 4
  %1343 = zext i32 %1342 to i64
  %1344 = load i32, ptr %1010, align 4
  %1345 = xor i32 %1344, -1
  %1346 = zext i32 %1345 to i64
  %1347 = add nuw nsw i64 %1346, %1343
  %1348 = shl i64 %1347, 52
  %1349 = add i64 %1348, 4607182418800017408
  %1350 = insertelement <16 x i64> poison, i64 %1349, i64 0
  %1351 = bitcast <16 x i64> %1350 to <16 x double>
  %1352 = shufflevector <16 x double> %1351, <16 x double> poison, <16 x i32> zeroinitializer
  %1353 = fmul <16 x double> %1210, %1352
  %1354 = load i32, ptr %1011, align 4
  %1355 = icmp eq i32 %1354, 0
  %1356 = bitcast <16 x double> %1210 to <16 x i64>
  %1357 = sub i32 53, %1342
  br i1 %1355, label %1358, label %1361

1358:
  %1359 = fptosi <16 x double> %1353 to <16 x i32>
  %1360 = sitofp <16 x i32> %1359 to <16 x double>
  br label %1377

1361:
  %1362 = fadd <16 x double> %1353, splat (double 0x4338000000000000)
  %1363 = fadd <16 x double> %1362, splat (double 0xC338000000000000)
  %1364 = sub i32 52, %1342
  %1365 = zext nneg i32 %1364 to i64
  %1366 = shl nsw i64 -1, %1365
  %1367 = xor i64 %1366, -1
  %1368 = insertelement <16 x i64> poison, i64 %1367, i64 0
  %1369 = shufflevector <16 x i64> %1368, <16 x i64> poison, <16 x i32> zeroinitializer
  %1370 = insertelement <16 x i32> poison, i32 %1357, i64 0
  %1371 = shufflevector <16 x i32> %1370, <16 x i32> poison, <16 x i32> zeroinitializer
  %1372 = zext nneg <16 x i32> %1371 to <16 x i64>
  %1373 = lshr <16 x i64> %1356, %1372
  %1374 = and <16 x i64> %1373, splat (i64 1)
  %1375 = add <16 x i64> %1369, %1356
  %1376 = add <16 x i64> %1375, %1374
  br label %1377

1377:
  %1378 = phi <16 x double> [ %1363, %1361 ], [ %1360, %1358 ]
  %1379 = phi <16 x i64> [ %1376, %1361 ], [ %1356, %1358 ]
  %1380 = sub i64 4607182418800017408, %1348
  %1381 = insertelement <16 x i64> poison, i64 %1380, i64 0
  %1382 = bitcast <16 x i64> %1381 to <16 x double>
  %1383 = shufflevector <16 x double> %1382, <16 x double> poison, <16 x i32> zeroinitializer
  %1384 = fmul <16 x double> %1383, %1378
  %1385 = add nsw i32 %1344, 1023
  %1386 = zext i32 %1385 to i64
  %1387 = shl i64 %1386, 52
  %1388 = insertelement <16 x i64> poison, i64 %1387, i64 0
  %1389 = shufflevector <16 x i64> %1388, <16 x i64> poison, <16 x i32> zeroinitializer
  %1390 = bitcast <16 x double> %1340 to <16 x i64>
  %1391 = icmp sgt <16 x i64> %1389, %1390
  %1392 = zext nneg i32 %1357 to i64
  %1393 = shl nsw i64 -1, %1392
  %1394 = insertelement <16 x i64> poison, i64 %1393, i64 0
  %1395 = shufflevector <16 x i64> %1394, <16 x i64> poison, <16 x i32> zeroinitializer
  %1396 = and <16 x i64> %1379, %1395
  %1397 = bitcast <16 x i64> %1396 to <16 x double>
  %1398 = select <16 x i1> %1391, <16 x double> %1384, <16 x double> %1397
  %1399 = select <16 x i1> %1341, <16 x double> %1210, <16 x double> %1398
  %1400 = fptrunc <16 x double> %1399 to <16 x float>
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  br label %1412

1401:
  %1402 = fptrunc <16 x double> %1210 to <16 x float>
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  %1403 = icmp eq i32 %1330, 0
  br i1 %1403, label %1404, label %1412

1404:
  %1405 = sub i32 %1329, %1043
  %1406 = icmp ugt i32 %1405, 15
  br i1 %1406, label %1407, label %1411

1407:
  %1408 = shl i32 %1043, 2
  %1409 = zext i32 %1408 to i64
  %1410 = getelementptr inbounds nuw i8, ptr %1328, i64 %1409
  store <16 x float> %1402, ptr %1410, align 1
  br label %1445

1411:
  store <16 x float> %1402, ptr %5, align 64
  br label %1436

1412:
  %1413 = phi <16 x float> [ %1400, %1377 ], [ %1402, %1401 ]
  %1414 = load i32, ptr %1012, align 4
  %1415 = bitcast <16 x float> %1413 to <16 x i32>
  %1416 = tail call <16 x float> @llvm.fabs.v16f32(<16 x float> %1413)
  %1417 = bitcast <16 x float> %1416 to <16 x i32>
  %1418 = fmul <16 x float> %1416, splat (float 0x4170000000000000)
  %1419 = fptosi <16 x float> %1418 to <16 x i32>
  %1420 = lshr <16 x i32> %1417, splat (i32 13)
  %1421 = add nuw nsw <16 x i32> %1420, splat (i32 16384)
  %1422 = icmp samesign ult <16 x i32> %1417, splat (i32 947912704)
  %1423 = select <16 x i1> %1422, <16 x i32> %1419, <16 x i32> %1421
  %1424 = icmp samesign ugt <16 x i32> %1417, splat (i32 1199570943)
  %1425 = select <16 x i1> %1424, <16 x i32> splat (i32 31744), <16 x i32> %1423
  %1426 = lshr <16 x i32> %1415, splat (i32 16)
  %1427 = and <16 x i32> %1426, splat (i32 32768)
  %1428 = or <16 x i32> %1425, %1427
  %1429 = icmp samesign ugt <16 x i32> %1417, splat (i32 2139095040)
  %1430 = insertelement <16 x i32> poison, i32 %1414, i64 0
  %1431 = shufflevector <16 x i32> %1430, <16 x i32> poison, <16 x i32> zeroinitializer
  %1432 = select <16 x i1> %1429, <16 x i32> %1431, <16 x i32> %1428
  %1433 = trunc <16 x i32> %1432 to <16 x i16>
  store <16 x i16> %1433, ptr %5, align 64
  %1434 = sub i32 %1329, %1043
  %1435 = tail call i32 @llvm.umin.i32(i32 %1434, i32 16)
  br label %1436

1436:
  %1437 = phi i32 [ %1435, %1412 ], [ %1405, %1411 ]
  %1438 = icmp eq i32 %1330, 3
  %1439 = select i1 %1438, i32 1, i32 2
  %1440 = shl i32 %1043, %1439
  %1441 = zext i32 %1440 to i64
  %1442 = getelementptr inbounds nuw i8, ptr %1328, i64 %1441
  %1443 = shl nuw nsw i32 %1437, %1439
  %1444 = zext nneg i32 %1443 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %1442, ptr nonnull readonly align 64 %5, i64 %1444, i1 false)
  br label %1445

1445:
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  br label %1446

1446:
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  %1447 = add i32 %1043, 16
  %1448 = load i32, ptr %1, align 64
  %1449 = icmp ult i32 %1447, %1448
  br i1 %1449, label %1041, label %1034

1450:
  ret void
}

define i64 @add_floats(i64 noundef %0, i64 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = icmp eq i32 %2, 8
  br i1 %4, label %5, label %10

5:
  %6 = bitcast i64 %0 to double
  %7 = bitcast i64 %1 to double
  %8 = fadd double %6, %7
  %9 = bitcast double %8 to i64
  br label %18

10:
  %11 = trunc i64 %0 to i32
  %12 = bitcast i32 %11 to float
  %13 = trunc i64 %1 to i32
  %14 = bitcast i32 %13 to float
  %15 = fadd float %12, %14
  %16 = bitcast float %15 to i32
  %17 = zext i32 %16 to i64
  br label %18

18:
  %19 = phi i64 [ %9, %5 ], [ %17, %10 ]
  ret i64 %19
}

define void @exchange(ptr noundef captures(none) %0, ptr noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4, ptr noundef %5, ptr noundef readonly captures(none) %6, i32 noundef %7, i32 noundef %8) local_unnamed_addr {
  %10 = alloca i32, align 4
  %11 = alloca %struct.Touch, align 8
  %12 = alloca [16 x i8], align 16
  %13 = alloca [16 x i8], align 16
  %14 = alloca [16 x i32], align 16
  %15 = alloca i64, align 8
  %16 = alloca %struct.Range, align 8
  %17 = icmp eq i64 %2, 0
  br i1 %17, label %65, label %18

18:
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %21 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %22 = getelementptr inbounds nuw i8, ptr %5, i64 68
  %23 = getelementptr inbounds nuw i8, ptr %16, i64 12
  %24 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %25 = getelementptr inbounds nuw i8, ptr %16, i64 20
  %26 = getelementptr inbounds nuw i8, ptr %16, i64 24
  %27 = getelementptr inbounds nuw i8, ptr %16, i64 32
  %28 = getelementptr inbounds nuw i8, ptr %16, i64 40
  %29 = getelementptr inbounds nuw i8, ptr %16, i64 48
  %30 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %31 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %33 = zext i32 %3 to i64
  %34 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %33
  %35 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %36 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %37 = zext i32 %4 to i64
  %38 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %37
  %39 = add i32 %3, 1
  %40 = zext i32 %39 to i64
  %41 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %40
  %42 = add i32 %3, 2
  %43 = zext i32 %42 to i64
  %44 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %43
  %45 = add i32 %3, 3
  %46 = zext i32 %45 to i64
  %47 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %46
  %48 = add i32 %4, 1
  %49 = zext i32 %48 to i64
  %50 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %49
  %51 = add i32 %4, 2
  %52 = zext i32 %51 to i64
  %53 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %52
  %54 = add i32 %4, 3
  %55 = zext i32 %54 to i64
  %56 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %55
  %57 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %58 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %59 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %60 = getelementptr inbounds nuw i8, ptr %5, i64 76
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %62 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %63 = icmp eq i32 %8, 0
  %64 = getelementptr inbounds nuw i8, ptr %1, i64 8
  br label %66

65:
  ret void

66:
  %67 = phi i64 [ %2, %18 ], [ %486, %484 ]
  %68 = call range(i64 0, 65) i64 @llvm.cttz.i64(i64 %67, i1 true)
  %69 = trunc nuw nsw i64 %68 to i32
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  call void @llvm.lifetime.start.p0(ptr nonnull %13)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %13, i8 0, i64 16, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %14)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(64) %14, i8 0, i64 64, i1 false)
  %70 = load ptr, ptr %19, align 8
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 128
  %72 = load i64, ptr %71, align 8
  %73 = icmp eq i64 %72, 0
  call void @llvm.lifetime.start.p0(ptr nonnull %15)
  call void @llvm.lifetime.start.p0(ptr nonnull %16)
  %74 = getelementptr inbounds nuw i64, ptr %20, i64 %68
  %75 = load i64, ptr %74, align 8
  store i64 %75, ptr %16, align 8
  %76 = load i32, ptr %22, align 4
  store i32 %76, ptr %21, align 8
  store i32 0, ptr %23, align 4
  store i32 %69, ptr %24, align 8
  store i32 0, ptr %25, align 4
  store ptr %12, ptr %26, align 8
  %77 = select i1 %73, ptr null, ptr %13
  store ptr %77, ptr %27, align 8
  %78 = select i1 %73, ptr null, ptr %14
  store ptr %78, ptr %28, align 8
  store ptr null, ptr %29, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(64) %11, i8 0, i64 64, i1 false)
  %79 = call fastcc ptr @checked(ptr noundef %1, ptr noundef nonnull readonly %16, ptr noundef nonnull %15, ptr noundef %11, ptr noundef %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  %80 = icmp eq ptr %79, null
  br i1 %80, label %484, label %81

81:
  %82 = load i64, ptr %15, align 8
  %83 = getelementptr inbounds nuw i8, ptr %79, i64 84
  %84 = load i32, ptr %83, align 4
  %85 = icmp eq i32 %84, 2
  br i1 %85, label %86, label %87

86:
  call void @private_move(ptr noundef readonly %1, ptr noundef nonnull readonly %16, ptr noundef nonnull %79, i64 noundef %82, i32 noundef 0)
  br label %97

87:
  %88 = getelementptr inbounds nuw i8, ptr %79, i64 16
  %89 = load ptr, ptr %88, align 8
  %90 = getelementptr inbounds nuw i8, ptr %89, i64 %82
  %91 = zext i32 %76 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %12, ptr readonly align 1 %90, i64 %91, i1 false)
  %92 = call fastcc i32 @defined_at(ptr noundef nonnull %79, i64 noundef %82, i64 noundef %91)
  %93 = icmp eq i32 %92, 0
  br i1 %93, label %94, label %95

94:
  call fastcc void @load_undefined(ptr noundef readonly %1, ptr noundef nonnull readonly %16, ptr noundef nonnull %79, i64 noundef %82)
  br label %97

95:
  br i1 %73, label %97, label %96

96:
  call void @llvm.memset.p0.i64(ptr nonnull align 16 %13, i8 0, i64 %91, i1 false)
  br label %97

97:
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %5, i8 0, i64 16, i1 false)
  %98 = load i32, ptr %22, align 4
  %99 = zext i32 %98 to i64
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %5, ptr nonnull readonly align 16 %12, i64 %99, i1 false)
  %100 = load i32, ptr %22, align 4
  %101 = getelementptr inbounds nuw i32, ptr %34, i64 %68
  %102 = load i32, ptr %101, align 4
  %103 = zext i32 %102 to i64
  %104 = icmp eq i32 %100, 2
  %105 = and i64 %103, 65535
  %106 = select i1 %104, i64 %105, i64 %103
  store i64 %106, ptr %31, align 8
  %107 = icmp ugt i32 %100, 7
  br i1 %107, label %108, label %115

108:
  %109 = getelementptr inbounds nuw i32, ptr %41, i64 %68
  %110 = load i32, ptr %109, align 4
  %111 = zext i32 %110 to i64
  %112 = shl nuw i64 %111, 32
  %113 = or disjoint i64 %112, %103
  store i64 %113, ptr %31, align 8
  %114 = icmp eq i32 %100, 16
  br i1 %114, label %130, label %121

115:
  store i64 0, ptr %35, align 8
  %116 = getelementptr inbounds nuw i32, ptr %38, i64 %68
  %117 = load i32, ptr %116, align 4
  %118 = zext i32 %117 to i64
  %119 = and i64 %118, 65535
  %120 = select i1 %104, i64 %119, i64 %118
  store i64 %120, ptr %36, align 8
  br label %155

121:
  store i64 0, ptr %35, align 8
  %122 = getelementptr inbounds nuw i32, ptr %38, i64 %68
  %123 = load i32, ptr %122, align 4
  %124 = zext i32 %123 to i64
  %125 = getelementptr inbounds nuw i32, ptr %50, i64 %68
  %126 = load i32, ptr %125, align 4
  %127 = zext i32 %126 to i64
  %128 = shl nuw i64 %127, 32
  %129 = or disjoint i64 %128, %124
  store i64 %129, ptr %36, align 8
  br label %155

130:
  %131 = getelementptr inbounds nuw i32, ptr %44, i64 %68
  %132 = load i32, ptr %131, align 4
  %133 = zext i32 %132 to i64
  %134 = getelementptr inbounds nuw i32, ptr %47, i64 %68
  %135 = load i32, ptr %134, align 4
  %136 = zext i32 %135 to i64
  %137 = shl nuw i64 %136, 32
  %138 = or disjoint i64 %137, %133
  store i64 %138, ptr %35, align 8
  %139 = getelementptr inbounds nuw i32, ptr %38, i64 %68
  %140 = load i32, ptr %139, align 4
  %141 = zext i32 %140 to i64
  %142 = getelementptr inbounds nuw i32, ptr %50, i64 %68
  %143 = load i32, ptr %142, align 4
  %144 = zext i32 %143 to i64
  %145 = shl nuw i64 %144, 32
  %146 = or disjoint i64 %145, %141
  store i64 %146, ptr %36, align 8
  %147 = getelementptr inbounds nuw i32, ptr %53, i64 %68
  %148 = load i32, ptr %147, align 4
  %149 = zext i32 %148 to i64
  %150 = getelementptr inbounds nuw i32, ptr %56, i64 %68
  %151 = load i32, ptr %150, align 4
  %152 = zext i32 %151 to i64
  %153 = shl nuw i64 %152, 32
  %154 = or disjoint i64 %153, %149
  br label %155

155:
  %156 = phi i64 [ %146, %130 ], [ %129, %121 ], [ %120, %115 ]
  %157 = phi i64 [ %138, %130 ], [ 0, %121 ], [ 0, %115 ]
  %158 = phi i64 [ %113, %130 ], [ %113, %121 ], [ %106, %115 ]
  %159 = phi i64 [ %154, %130 ], [ 0, %121 ], [ 0, %115 ]
  store i64 %159, ptr %57, align 8
  store i64 %158, ptr %58, align 8
  store i64 %157, ptr %59, align 8
  %160 = load i32, ptr %83, align 4
  %161 = icmp eq i32 %160, 0
  %162 = zext i1 %161 to i32
  store i32 %162, ptr %60, align 4
  %163 = icmp eq i32 %100, 0
  br i1 %163, label %219, label %164

164:
  %165 = zext i32 %100 to i64
  br label %166

166:
  %167 = phi i32 [ 0, %164 ], [ %179, %178 ]
  %168 = phi i64 [ 0, %164 ], [ %182, %178 ]
  %169 = phi i32 [ 0, %164 ], [ %181, %178 ]
  %170 = getelementptr inbounds nuw i8, ptr %13, i64 %168
  %171 = load i8, ptr %170, align 1
  %172 = icmp eq i8 %171, 0
  %173 = icmp ne i32 %169, 0
  %174 = select i1 %172, i1 true, i1 %173
  br i1 %174, label %178, label %175

175:
  %176 = getelementptr inbounds nuw i32, ptr %14, i64 %168
  %177 = load i32, ptr %176, align 4
  br label %178

178:
  %179 = phi i32 [ %167, %166 ], [ %177, %175 ]
  %180 = zext i8 %171 to i32
  %181 = or i32 %169, %180
  %182 = add nuw nsw i64 %168, 1
  %183 = icmp eq i64 %182, %165
  br i1 %183, label %184, label %166

184:
  %185 = add i32 %100, 3
  %186 = lshr i32 %185, 2
  %187 = icmp eq i32 %186, 0
  br i1 %187, label %219, label %188

188:
  %189 = getelementptr inbounds nuw i32, ptr %61, i64 %68
  %190 = select i1 %104, i32 65535, i32 -1
  %191 = getelementptr inbounds nuw i32, ptr %62, i64 %68
  %192 = zext nneg i32 %186 to i64
  br label %193

193:
  %194 = phi i32 [ 0, %188 ], [ %215, %214 ]
  %195 = phi i64 [ 0, %188 ], [ %217, %214 ]
  %196 = phi i32 [ 0, %188 ], [ %216, %214 ]
  %197 = trunc nuw nsw i64 %195 to i32
  %198 = add i32 %3, %197
  %199 = zext i32 %198 to i64
  %200 = getelementptr inbounds nuw [64 x i32], ptr %189, i64 %199
  %201 = load i32, ptr %200, align 4
  %202 = and i32 %201, %190
  %203 = icmp eq i32 %202, 0
  %204 = icmp ne i32 %196, 0
  %205 = select i1 %203, i1 true, i1 %204
  br i1 %205, label %214, label %206

206:
  %207 = load ptr, ptr %19, align 8
  %208 = getelementptr inbounds nuw i8, ptr %207, i64 128
  %209 = load i64, ptr %208, align 8
  %210 = icmp eq i64 %209, 0
  br i1 %210, label %214, label %211

211:
  %212 = getelementptr inbounds nuw [64 x i32], ptr %191, i64 %199
  %213 = load i32, ptr %212, align 4
  br label %214

214:
  %215 = phi i32 [ %194, %193 ], [ %213, %211 ], [ 0, %206 ]
  %216 = or i32 %202, %196
  %217 = add nuw nsw i64 %195, 1
  %218 = icmp eq i64 %217, %192
  br i1 %218, label %219, label %193

219:
  %220 = phi i1 [ true, %184 ], [ true, %155 ], [ false, %214 ]
  %221 = phi i64 [ 0, %184 ], [ 0, %155 ], [ %192, %214 ]
  %222 = phi i32 [ %181, %184 ], [ 0, %155 ], [ %181, %214 ]
  %223 = phi i32 [ %179, %184 ], [ 0, %155 ], [ %179, %214 ]
  %224 = phi i32 [ 0, %184 ], [ 0, %155 ], [ %215, %214 ]
  %225 = phi i32 [ 0, %184 ], [ 0, %155 ], [ %216, %214 ]
  br i1 %63, label %381, label %226

226:
  %227 = load i64, ptr %5, align 8
  %228 = icmp eq i64 %227, %156
  br i1 %228, label %229, label %232

229:
  %230 = load i64, ptr %30, align 8
  %231 = icmp eq i64 %230, %159
  br label %232

232:
  %233 = phi i1 [ false, %226 ], [ %231, %229 ]
  br i1 %220, label %383, label %234

234:
  %235 = getelementptr inbounds nuw i32, ptr %61, i64 %68
  %236 = select i1 %104, i32 65535, i32 -1
  %237 = getelementptr inbounds nuw i32, ptr %62, i64 %68
  br label %238

238:
  %239 = phi i32 [ 0, %234 ], [ %260, %259 ]
  %240 = phi i64 [ 0, %234 ], [ %262, %259 ]
  %241 = phi i32 [ 0, %234 ], [ %261, %259 ]
  %242 = trunc nuw nsw i64 %240 to i32
  %243 = add i32 %4, %242
  %244 = zext i32 %243 to i64
  %245 = getelementptr inbounds nuw [64 x i32], ptr %235, i64 %244
  %246 = load i32, ptr %245, align 4
  %247 = and i32 %246, %236
  %248 = icmp eq i32 %247, 0
  %249 = icmp ne i32 %241, 0
  %250 = select i1 %248, i1 true, i1 %249
  br i1 %250, label %259, label %251

251:
  %252 = load ptr, ptr %19, align 8
  %253 = getelementptr inbounds nuw i8, ptr %252, i64 128
  %254 = load i64, ptr %253, align 8
  %255 = icmp eq i64 %254, 0
  br i1 %255, label %259, label %256

256:
  %257 = getelementptr inbounds nuw [64 x i32], ptr %237, i64 %244
  %258 = load i32, ptr %257, align 4
  br label %259

259:
  %260 = phi i32 [ %239, %238 ], [ %258, %256 ], [ 0, %251 ]
  %261 = or i32 %247, %241
  %262 = add nuw nsw i64 %240, 1
  %263 = icmp eq i64 %262, %221
  br i1 %263, label %264, label %238

264:
  %265 = icmp eq i32 %261, 0
  br i1 %265, label %266, label %267

266:
  br label %349

267:
  %268 = load ptr, ptr %19, align 8
  %269 = getelementptr inbounds nuw i8, ptr %268, i64 520
  %270 = load ptr, ptr %269, align 8
  %271 = icmp eq ptr %270, null
  br i1 %271, label %266, label %272

272:
  %273 = getelementptr inbounds nuw i8, ptr %268, i64 40
  %274 = load ptr, ptr %273, align 8
  %275 = icmp eq ptr %274, null
  %276 = icmp eq i32 %260, 0
  %277 = or i1 %276, %275
  br i1 %277, label %266, label %278

278:
  %279 = getelementptr inbounds nuw i8, ptr %268, i64 48
  %280 = load i64, ptr %279, align 8
  br label %281

281:
  %282 = phi i32 [ %260, %278 ], [ %297, %294 ]
  %283 = zext i32 %282 to i64
  %284 = icmp ugt i64 %280, %283
  br i1 %284, label %285, label %266

285:
  %286 = lshr i32 %282, 12
  %287 = zext nneg i32 %286 to i64
  %288 = getelementptr inbounds nuw ptr, ptr %274, i64 %287
  %289 = load ptr, ptr %288, align 8
  %290 = and i32 %282, 4095
  %291 = zext nneg i32 %290 to i64
  %292 = getelementptr inbounds nuw %struct.Origin, ptr %289, i64 %291
  %293 = load i32, ptr %292, align 8
  switch i32 %293, label %266 [
    i32 5, label %299
    i32 3, label %294
  ]

294:
  %295 = getelementptr inbounds nuw i8, ptr %292, i64 24
  %296 = load i64, ptr %295, align 8
  %297 = trunc i64 %296 to i32
  %298 = icmp eq i32 %297, 0
  br i1 %298, label %266, label %281

299:
  %300 = getelementptr inbounds nuw i8, ptr %292, i64 24
  %301 = load i64, ptr %300, align 8
  %302 = and i64 %301, 4294967295
  %303 = icmp eq i64 %302, 4294967295
  br i1 %303, label %266, label %304

304:
  %305 = add i32 %100, 3
  %306 = icmp ult i32 %305, 4
  br i1 %306, label %307, label %310

307:
  %308 = phi i32 [ %100, %304 ], [ %317, %310 ]
  %309 = icmp eq i32 %225, 0
  br i1 %309, label %383, label %322

310:
  %311 = phi i64 [ %316, %310 ], [ 0, %304 ]
  %312 = trunc nuw nsw i64 %311 to i32
  %313 = add i32 %4, %312
  %314 = zext i32 %313 to i64
  %315 = getelementptr inbounds nuw [64 x i32], ptr %235, i64 %314
  store i32 0, ptr %315, align 4
  %316 = add nuw nsw i64 %311, 1
  %317 = load i32, ptr %22, align 4
  %318 = add i32 %317, 3
  %319 = lshr i32 %318, 2
  %320 = zext nneg i32 %319 to i64
  %321 = icmp samesign ult i64 %316, %320
  br i1 %321, label %310, label %307

322:
  %323 = icmp eq i32 %224, 0
  br i1 %323, label %348, label %324

324:
  %325 = phi i32 [ %340, %337 ], [ %224, %322 ]
  %326 = zext i32 %325 to i64
  %327 = icmp ugt i64 %280, %326
  br i1 %327, label %328, label %348

328:
  %329 = lshr i32 %325, 12
  %330 = zext nneg i32 %329 to i64
  %331 = getelementptr inbounds nuw ptr, ptr %274, i64 %330
  %332 = load ptr, ptr %331, align 8
  %333 = and i32 %325, 4095
  %334 = zext nneg i32 %333 to i64
  %335 = getelementptr inbounds nuw %struct.Origin, ptr %332, i64 %334
  %336 = load i32, ptr %335, align 8
  switch i32 %336, label %348 [
    i32 5, label %342
    i32 3, label %337
  ]

337:
  %338 = getelementptr inbounds nuw i8, ptr %335, i64 24
  %339 = load i64, ptr %338, align 8
  %340 = trunc i64 %339 to i32
  %341 = icmp eq i32 %340, 0
  br i1 %341, label %348, label %324

342:
  %343 = getelementptr inbounds nuw i8, ptr %335, i64 24
  %344 = load i64, ptr %343, align 8
  %345 = freeze i64 %344
  %346 = and i64 %345, 4294967295
  %347 = icmp eq i64 %346, 4294967295
  br i1 %347, label %348, label %383

348:
  br label %383

349:
  %350 = phi i32 [ %371, %370 ], [ 0, %266 ]
  %351 = phi i64 [ %373, %370 ], [ 0, %266 ]
  %352 = phi i32 [ %372, %370 ], [ 0, %266 ]
  %353 = trunc nuw nsw i64 %351 to i32
  %354 = add i32 %4, %353
  %355 = zext i32 %354 to i64
  %356 = getelementptr inbounds nuw [64 x i32], ptr %235, i64 %355
  %357 = load i32, ptr %356, align 4
  %358 = and i32 %357, %236
  %359 = icmp eq i32 %358, 0
  %360 = icmp ne i32 %352, 0
  %361 = select i1 %359, i1 true, i1 %360
  br i1 %361, label %370, label %362

362:
  %363 = load ptr, ptr %19, align 8
  %364 = getelementptr inbounds nuw i8, ptr %363, i64 128
  %365 = load i64, ptr %364, align 8
  %366 = icmp eq i64 %365, 0
  br i1 %366, label %370, label %367

367:
  %368 = getelementptr inbounds nuw [64 x i32], ptr %237, i64 %355
  %369 = load i32, ptr %368, align 4
  br label %370

370:
  %371 = phi i32 [ %350, %349 ], [ %369, %367 ], [ 0, %362 ]
  %372 = or i32 %358, %352
  %373 = add nuw nsw i64 %351, 1
  %374 = icmp eq i64 %373, %221
  br i1 %374, label %375, label %349

375:
  %376 = icmp eq i32 %372, 0
  %377 = icmp ne i32 %225, 0
  %378 = select i1 %376, i1 true, i1 %377
  %379 = select i1 %378, i32 %224, i32 %371
  %380 = or i32 %372, %225
  br label %383

381:
  call void %6(ptr noundef nonnull %5)
  %382 = load i32, ptr %22, align 4
  br label %383

383:
  %384 = phi i32 [ %382, %381 ], [ %100, %232 ], [ %100, %375 ], [ %308, %348 ], [ %308, %307 ], [ %308, %342 ]
  %385 = phi i32 [ %225, %381 ], [ %225, %232 ], [ %380, %375 ], [ %225, %348 ], [ 0, %307 ], [ 0, %342 ]
  %386 = phi i32 [ %224, %381 ], [ %224, %232 ], [ %379, %375 ], [ %224, %348 ], [ %224, %307 ], [ %224, %342 ]
  %387 = phi i1 [ true, %381 ], [ %233, %232 ], [ %233, %375 ], [ %233, %348 ], [ %233, %307 ], [ %233, %342 ]
  %388 = add i32 %384, 3
  %389 = icmp ult i32 %388, 4
  br i1 %389, label %438, label %390

390:
  %391 = getelementptr inbounds nuw i32, ptr %32, i64 %68
  %392 = getelementptr inbounds nuw i32, ptr %61, i64 %68
  %393 = getelementptr inbounds nuw i32, ptr %62, i64 %68
  br label %394

394:
  %395 = phi i64 [ 0, %390 ], [ %422, %404 ]
  %396 = phi i32 [ %384, %390 ], [ %423, %404 ]
  %397 = shl nuw nsw i64 %395, 2
  %398 = zext i32 %396 to i64
  br label %399

399:
  %400 = phi i64 [ 0, %394 ], [ %436, %428 ]
  %401 = phi i32 [ 0, %394 ], [ %435, %428 ]
  %402 = add nuw nsw i64 %400, %397
  %403 = icmp samesign ult i64 %402, %398
  br i1 %403, label %428, label %404

404:
  %405 = phi i32 [ %435, %428 ], [ %401, %399 ]
  %406 = trunc nuw nsw i64 %395 to i32
  %407 = lshr i64 %395, 1
  %408 = and i64 %407, 2147483647
  %409 = getelementptr inbounds nuw i64, ptr %5, i64 %408
  %410 = load i64, ptr %409, align 8
  %411 = shl i64 %395, 5
  %412 = and i64 %411, 32
  %413 = lshr i64 %410, %412
  %414 = trunc i64 %413 to i32
  %415 = add i32 %3, %406
  %416 = zext i32 %415 to i64
  %417 = getelementptr inbounds nuw [64 x i32], ptr %391, i64 %416
  store i32 %414, ptr %417, align 4
  %418 = getelementptr inbounds nuw [64 x i32], ptr %392, i64 %416
  store i32 %405, ptr %418, align 4
  %419 = icmp eq i32 %405, 0
  %420 = select i1 %419, i32 0, i32 %223
  %421 = getelementptr inbounds nuw [64 x i32], ptr %393, i64 %416
  store i32 %420, ptr %421, align 4
  %422 = add nuw nsw i64 %395, 1
  %423 = load i32, ptr %22, align 4
  %424 = add i32 %423, 3
  %425 = lshr i32 %424, 2
  %426 = zext nneg i32 %425 to i64
  %427 = icmp samesign ult i64 %422, %426
  br i1 %427, label %394, label %438

428:
  %429 = getelementptr inbounds nuw i8, ptr %13, i64 %402
  %430 = load i8, ptr %429, align 1
  %431 = zext i8 %430 to i32
  %432 = trunc i64 %400 to i32
  %433 = shl i32 %432, 3
  %434 = shl nuw i32 %431, %433
  %435 = or i32 %434, %401
  %436 = add nuw nsw i64 %400, 1
  %437 = icmp eq i64 %436, 4
  br i1 %437, label %404, label %399

438:
  %439 = phi i32 [ %384, %383 ], [ %423, %404 ]
  br i1 %387, label %440, label %484

440:
  %441 = load i64, ptr %58, align 8
  %442 = load i64, ptr %5, align 8
  %443 = icmp eq i64 %441, %442
  br i1 %443, label %444, label %448

444:
  %445 = load i64, ptr %59, align 8
  %446 = load i64, ptr %30, align 8
  %447 = icmp eq i64 %445, %446
  br i1 %447, label %453, label %448

448:
  %449 = load ptr, ptr %19, align 8
  %450 = getelementptr inbounds nuw i8, ptr %449, i64 152
  %451 = load i64, ptr %450, align 8
  %452 = add i64 %451, 1
  store i64 %452, ptr %450, align 8
  br label %453

453:
  %454 = icmp eq i32 %385, 0
  br i1 %454, label %462, label %455

455:
  %456 = load i32, ptr %60, align 4
  %457 = icmp eq i32 %456, 0
  br i1 %457, label %462, label %458

458:
  %459 = load i32, ptr %64, align 8
  %460 = call i32 @race_decides(ptr noundef %0, i32 noundef %459, i32 range(i32 0, 64) poison, i32 noundef %386, i32 noundef 7)
  %461 = load i32, ptr %22, align 4
  br label %462

462:
  %463 = phi i32 [ %461, %458 ], [ %439, %455 ], [ %439, %453 ]
  %464 = icmp eq i32 %222, 0
  %465 = or i32 %385, %7
  %466 = icmp ne i32 %465, 0
  %467 = or i1 %464, %466
  %468 = select i1 %467, i32 %386, i32 %223
  %469 = select i1 %467, i32 %385, i32 %222
  %470 = icmp eq i32 %463, 0
  br i1 %470, label %475, label %471

471:
  %472 = icmp ne i32 %469, 0
  %473 = sext i1 %472 to i8
  %474 = zext i32 %463 to i64
  call void @llvm.memset.p0.i64(ptr nonnull align 16 %13, i8 %473, i64 %474, i1 false)
  br label %479

475:
  %476 = phi i64 [ 0, %462 ], [ %474, %479 ]
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %12, ptr nonnull readonly align 1 %58, i64 %476, i1 false)
  %477 = icmp eq i32 %469, 0
  %478 = select i1 %477, ptr null, ptr %13
  store ptr %478, ptr %27, align 8
  store ptr %14, ptr %28, align 8
  call void @write_bytes(ptr noundef %1, ptr noundef nonnull %16, ptr noundef nonnull %79, i64 noundef %82)
  br label %484

479:
  %480 = phi i64 [ 0, %471 ], [ %482, %479 ]
  %481 = getelementptr inbounds nuw i32, ptr %14, i64 %480
  store i32 %468, ptr %481, align 4
  %482 = add nuw nsw i64 %480, 1
  %483 = icmp eq i64 %482, %474
  br i1 %483, label %475, label %479

484:
  call void @llvm.lifetime.end.p0(ptr nonnull %16)
  call void @llvm.lifetime.end.p0(ptr nonnull %15)
  call void @llvm.lifetime.end.p0(ptr nonnull %14)
  call void @llvm.lifetime.end.p0(ptr nonnull %13)
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  %485 = add i64 %67, -1
  %486 = and i64 %485, %67
  %487 = icmp eq i64 %486, 0
  br i1 %487, label %65, label %66
}

define void @lm_atomic(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, i32 noundef %8, i32 noundef %9) local_unnamed_addr {
  %11 = alloca %struct.Access, align 8
  %12 = alloca %struct.Exchange, align 8
  %13 = icmp eq i64 %3, 0
  br i1 %13, label %22, label %14

14:
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  %15 = or i32 %9, 7
  call void @begin_access(ptr dead_on_unwind nonnull writable sret(%struct.Access) align 8 %11, ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %15, i32 noundef %5)
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %12, i8 0, i64 80, i1 false)
  %16 = getelementptr inbounds nuw i8, ptr %12, i64 64
  store i32 %8, ptr %16, align 8
  %17 = getelementptr inbounds nuw i8, ptr %12, i64 68
  store i32 %4, ptr %17, align 4
  %18 = icmp eq i32 %8, 12
  %19 = zext i1 %18 to i32
  %20 = icmp eq i32 %8, 13
  %21 = zext i1 %20 to i32
  call void @exchange(ptr noundef %0, ptr noundef nonnull %11, i64 noundef %3, i32 noundef %6, i32 noundef %7, ptr noundef nonnull %12, ptr noundef nonnull @change_number, i32 noundef %19, i32 noundef %21)
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  br label %22

22:
  ret void
}

define internal void @change_number(ptr noundef captures(none) initializes((48, 56)) %0) {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %3 = load i32, ptr %2, align 8
  %4 = load i64, ptr %0, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 68
  %8 = load i32, ptr %7, align 4
  switch i32 %3, label %100 [
    i32 0, label %9
    i32 1, label %11
    i32 2, label %13
    i32 3, label %15
    i32 4, label %25
    i32 5, label %35
    i32 6, label %37
    i32 7, label %39
    i32 8, label %41
    i32 9, label %43
    i32 10, label %45
    i32 11, label %49
    i32 12, label %101
    i32 13, label %52
    i32 14, label %57
    i32 15, label %72
    i32 16, label %86
  ]

9:
  %10 = add i64 %6, %4
  br label %101

11:
  %12 = sub i64 %4, %6
  br label %101

13:
  %14 = sub i64 %6, %4
  br label %101

15:
  %16 = icmp eq i32 %8, 8
  %17 = shl i64 %4, 32
  %18 = ashr exact i64 %17, 32
  %19 = select i1 %16, i64 %4, i64 %18
  %20 = shl i64 %6, 32
  %21 = ashr exact i64 %20, 32
  %22 = select i1 %16, i64 %6, i64 %21
  %23 = icmp slt i64 %19, %22
  %24 = select i1 %23, i64 %4, i64 %6
  br label %101

25:
  %26 = icmp eq i32 %8, 8
  %27 = shl i64 %4, 32
  %28 = ashr exact i64 %27, 32
  %29 = select i1 %26, i64 %4, i64 %28
  %30 = shl i64 %6, 32
  %31 = ashr exact i64 %30, 32
  %32 = select i1 %26, i64 %6, i64 %31
  %33 = icmp sgt i64 %29, %32
  %34 = select i1 %33, i64 %4, i64 %6
  br label %101

35:
  %36 = tail call i64 @llvm.umin.i64(i64 %4, i64 %6)
  br label %101

37:
  %38 = tail call i64 @llvm.umax.i64(i64 %4, i64 %6)
  br label %101

39:
  %40 = and i64 %6, %4
  br label %101

41:
  %42 = or i64 %6, %4
  br label %101

43:
  %44 = xor i64 %6, %4
  br label %101

45:
  %46 = icmp ult i64 %4, %6
  %47 = add nuw i64 %4, 1
  %48 = select i1 %46, i64 %47, i64 0
  br label %101

49:
  %50 = add i64 %4, -1
  %51 = tail call i64 @llvm.umin.i64(i64 %50, i64 %6)
  br label %101

52:
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %54 = load i64, ptr %53, align 8
  %55 = icmp eq i64 %4, %54
  %56 = select i1 %55, i64 %6, i64 %4
  br label %101

57:
  %58 = icmp eq i32 %8, 8
  br i1 %58, label %59, label %64

59:
  %60 = bitcast i64 %4 to double
  %61 = bitcast i64 %6 to double
  %62 = fadd double %60, %61
  %63 = bitcast double %62 to i64
  br label %101

64:
  %65 = trunc i64 %4 to i32
  %66 = bitcast i32 %65 to float
  %67 = trunc i64 %6 to i32
  %68 = bitcast i32 %67 to float
  %69 = fadd float %66, %68
  %70 = bitcast float %69 to i32
  %71 = zext i32 %70 to i64
  br label %101

72:
  %73 = trunc i64 %6 to i32
  %74 = icmp eq i32 %8, 8
  %75 = bitcast i64 %6 to double
  %76 = bitcast i32 %73 to float
  %77 = fpext float %76 to double
  %78 = select i1 %74, double %75, double %77
  %79 = trunc i64 %4 to i32
  %80 = bitcast i64 %4 to double
  %81 = bitcast i32 %79 to float
  %82 = fpext float %81 to double
  %83 = select i1 %74, double %80, double %82
  %84 = fcmp olt double %78, %83
  %85 = select i1 %84, i64 %6, i64 %4
  br label %101

86:
  %87 = trunc i64 %6 to i32
  %88 = icmp eq i32 %8, 8
  %89 = bitcast i64 %6 to double
  %90 = bitcast i32 %87 to float
  %91 = fpext float %90 to double
  %92 = select i1 %88, double %89, double %91
  %93 = trunc i64 %4 to i32
  %94 = bitcast i64 %4 to double
  %95 = bitcast i32 %93 to float
  %96 = fpext float %95 to double
  %97 = select i1 %88, double %94, double %96
  %98 = fcmp ogt double %92, %97
  %99 = select i1 %98, i64 %6, i64 %4
  br label %101

100:
  br label %101

101:
  %102 = phi i64 [ %4, %100 ], [ %10, %9 ], [ %12, %11 ], [ %14, %13 ], [ %24, %15 ], [ %34, %25 ], [ %36, %35 ], [ %38, %37 ], [ %40, %39 ], [ %42, %41 ], [ %44, %43 ], [ %48, %45 ], [ %51, %49 ], [ %99, %86 ], [ %56, %52 ], [ %6, %1 ], [ %85, %72 ], [ %63, %59 ], [ %71, %64 ]
  %103 = icmp eq i32 %8, 8
  %104 = and i64 %102, 4294967295
  %105 = select i1 %103, i64 %102, i64 %104
  %106 = getelementptr inbounds nuw i8, ptr %0, i64 48
  store i64 %105, ptr %106, align 8
  ret void
}

define void @lm_begin(ptr noundef initializes((0, 8), (40, 112)) %0, i64 noundef %1) local_unnamed_addr {
  %3 = alloca [6 x i32], align 16
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %7 = load i64, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load i32, ptr %8, align 8
  %10 = zext i32 %9 to i64
  %11 = mul i64 %7, %10
  %12 = add i64 %11, 3
  %13 = getelementptr inbounds nuw i8, ptr %5, i64 88
  %14 = load i64, ptr %13, align 8
  %15 = add i64 %14, %1
  store i64 %15, ptr %0, align 8
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 40
  store i64 1, ptr %16, align 8
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 96
  store i64 0, ptr %17, align 8
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %19 = getelementptr inbounds nuw i8, ptr %5, i64 152
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %18, i8 0, i64 40, i1 false)
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 104
  store i64 %20, ptr %21, align 8
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 88
  store i64 %20, ptr %22, align 8
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %24 = load ptr, ptr %23, align 8
  %25 = icmp eq ptr %24, null
  br i1 %25, label %35, label %26

26:
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %28 = load ptr, ptr %27, align 8
  br label %29

29:
  %30 = phi ptr [ %28, %26 ], [ %31, %29 ]
  %31 = phi ptr [ %24, %26 ], [ %33, %29 ]
  %32 = load ptr, ptr %31, align 8
  store ptr %32, ptr %23, align 8
  store ptr %30, ptr %31, align 8
  store ptr %31, ptr %27, align 8
  %33 = load ptr, ptr %23, align 8
  %34 = icmp eq ptr %33, null
  br i1 %34, label %35, label %29

35:
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 152
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %36, i8 0, i64 32, i1 false)
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %38 = load ptr, ptr %37, align 8
  %39 = shl nuw nsw i64 %10, 3
  %40 = mul i64 %39, %12
  tail call void @llvm.memset.p0.i64(ptr align 1 %38, i8 0, i64 %40, i1 false)
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %42 = load ptr, ptr %41, align 8
  %43 = shl i64 %12, 3
  tail call void @llvm.memset.p0.i64(ptr align 1 %42, i8 0, i64 %43, i1 false)
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %45 = load ptr, ptr %44, align 8
  tail call void @llvm.memset.p0.i64(ptr align 1 %45, i8 0, i64 %43, i1 false)
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %47 = load ptr, ptr %46, align 8
  tail call void @llvm.memset.p0.i64(ptr align 1 %47, i8 0, i64 %43, i1 false)
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 216
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(64) %48, i8 0, i64 64, i1 false)
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %50 = load i32, ptr %49, align 4
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %57, label %52

52:
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %54 = getelementptr inbounds nuw i8, ptr %5, i64 224
  %55 = getelementptr inbounds nuw i8, ptr %5, i64 236
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %61

57:
  %58 = getelementptr inbounds nuw i8, ptr %5, i64 544
  %59 = load ptr, ptr %58, align 8
  %60 = icmp eq ptr %59, null
  br i1 %60, label %195, label %194

61:
  %62 = phi i64 [ 0, %52 ], [ %135, %134 ]
  %63 = load ptr, ptr %53, align 8
  %64 = getelementptr inbounds nuw ptr, ptr %63, i64 %62
  %65 = load ptr, ptr %64, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3)
  br label %66

66:
  %67 = phi i64 [ 0, %61 ], [ %86, %66 ]
  %68 = phi i64 [ %1, %61 ], [ %84, %66 ]
  %69 = phi i64 [ %62, %61 ], [ %85, %66 ]
  %70 = getelementptr inbounds nuw i32, ptr %54, i64 %67
  %71 = load i32, ptr %70, align 4
  %72 = zext i32 %71 to i64
  %73 = urem i64 %68, %72
  %74 = trunc nuw i64 %73 to i32
  %75 = getelementptr inbounds nuw i32, ptr %3, i64 %67
  %76 = getelementptr inbounds nuw i8, ptr %75, i64 12
  store i32 %74, ptr %76, align 4
  %77 = getelementptr inbounds nuw i32, ptr %55, i64 %67
  %78 = load i32, ptr %77, align 4
  %79 = zext i32 %78 to i64
  %80 = mul nuw i64 %73, %79
  %81 = urem i64 %69, %79
  %82 = add nuw i64 %80, %81
  %83 = trunc i64 %82 to i32
  store i32 %83, ptr %75, align 4
  %84 = udiv i64 %68, %72
  %85 = udiv i64 %69, %79
  %86 = add nuw nsw i64 %67, 1
  %87 = icmp eq i64 %86, 3
  br i1 %87, label %88, label %66

88:
  %89 = load ptr, ptr %65, align 8
  %90 = getelementptr inbounds nuw i8, ptr %65, i64 12
  %91 = load i32, ptr %90, align 4
  %92 = getelementptr inbounds nuw i8, ptr %65, i64 20
  store i32 %91, ptr %92, align 4
  %93 = getelementptr inbounds nuw i8, ptr %65, i64 104
  %94 = load i32, ptr %93, align 8
  %95 = add i32 %94, 1
  store i32 %95, ptr %93, align 8
  %96 = icmp ult i32 %95, 268435456
  br i1 %96, label %105, label %97

97:
  %98 = getelementptr inbounds nuw i8, ptr %65, i64 80
  %99 = load ptr, ptr %98, align 8
  %100 = getelementptr inbounds nuw i8, ptr %65, i64 32
  %101 = load i64, ptr %100, align 8
  %102 = add i64 %101, 4095
  %103 = lshr i64 %102, 10
  %104 = and i64 %103, 18014398509481980
  tail call void @llvm.memset.p0.i64(ptr align 1 %99, i8 0, i64 %104, i1 false)
  store i32 1, ptr %93, align 8
  br label %105

105:
  %106 = getelementptr inbounds nuw i8, ptr %65, i64 120
  %107 = load ptr, ptr %106, align 8
  %108 = getelementptr inbounds nuw i8, ptr %89, i64 8
  %109 = load i32, ptr %108, align 8
  %110 = zext i32 %109 to i64
  %111 = shl nuw nsw i64 %110, 3
  tail call void @llvm.memset.p0.i64(ptr align 1 %107, i8 0, i64 %111, i1 false)
  %112 = getelementptr inbounds nuw i8, ptr %65, i64 128
  %113 = load ptr, ptr %112, align 8
  %114 = getelementptr inbounds nuw i8, ptr %89, i64 112
  %115 = load i64, ptr %114, align 8
  %116 = load i32, ptr %108, align 8
  %117 = zext i32 %116 to i64
  %118 = shl i64 %115, 3
  %119 = mul i64 %118, %117
  %120 = add i64 %119, 24
  tail call void @llvm.memset.p0.i64(ptr align 1 %113, i8 0, i64 %120, i1 false)
  %121 = getelementptr inbounds nuw i8, ptr %65, i64 136
  %122 = load ptr, ptr %121, align 8
  %123 = load i64, ptr %114, align 8
  %124 = load i32, ptr %108, align 8
  %125 = zext i32 %124 to i64
  %126 = shl i64 %123, 7
  %127 = mul i64 %126, %125
  %128 = add i64 %127, 384
  tail call void @llvm.memset.p0.i64(ptr align 1 %122, i8 0, i64 %128, i1 false)
  %129 = getelementptr inbounds nuw i8, ptr %65, i64 144
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(768) %129, i8 0, i64 768, i1 false)
  %130 = load i32, ptr %90, align 4
  %131 = icmp eq i32 %130, 0
  br i1 %131, label %134, label %132

132:
  %133 = getelementptr inbounds nuw i8, ptr %65, i64 16
  br label %139

134:
  call void @llvm.lifetime.end.p0(ptr nonnull %3)
  %135 = add nuw nsw i64 %62, 1
  %136 = load i32, ptr %49, align 4
  %137 = zext i32 %136 to i64
  %138 = icmp samesign ult i64 %135, %137
  br i1 %138, label %61, label %57

139:
  %140 = phi i32 [ 0, %132 ], [ %191, %190 ]
  %141 = load ptr, ptr %56, align 8
  %142 = load i32, ptr %133, align 8
  %143 = add i32 %142, %140
  %144 = zext i32 %143 to i64
  %145 = getelementptr inbounds nuw ptr, ptr %141, i64 %144
  %146 = load ptr, ptr %145, align 8
  %147 = getelementptr inbounds nuw i8, ptr %146, i64 16
  %148 = load ptr, ptr %147, align 8
  %149 = getelementptr inbounds nuw i8, ptr %146, i64 160
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(3944) %149, i8 0, i64 3944, i1 false)
  %150 = getelementptr inbounds nuw i8, ptr %146, i64 32
  %151 = load i64, ptr %150, align 8
  %152 = getelementptr inbounds nuw i8, ptr %146, i64 168
  store i64 %151, ptr %152, align 8
  %153 = getelementptr inbounds nuw i8, ptr %146, i64 117312
  %154 = getelementptr inbounds nuw i8, ptr %146, i64 144
  %155 = load ptr, ptr %154, align 8
  %156 = getelementptr inbounds nuw i8, ptr %148, i64 264
  %157 = load i64, ptr %156, align 8
  tail call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %153, ptr readonly align 1 %155, i64 %157, i1 false)
  %158 = getelementptr inbounds nuw i8, ptr %148, i64 256
  %159 = load i64, ptr %158, align 8
  %160 = icmp eq i64 %159, 0
  br i1 %160, label %164, label %161

161:
  %162 = getelementptr inbounds nuw i8, ptr %148, i64 248
  %163 = load ptr, ptr %162, align 8
  br label %177

164:
  %165 = getelementptr inbounds nuw i8, ptr %146, i64 120
  %166 = load i32, ptr %165, align 8
  %167 = add i32 %166, 1
  store i32 %167, ptr %165, align 8
  %168 = icmp ult i32 %167, 268435456
  br i1 %168, label %190, label %169

169:
  %170 = getelementptr inbounds nuw i8, ptr %146, i64 96
  %171 = load ptr, ptr %170, align 8
  %172 = getelementptr inbounds nuw i8, ptr %146, i64 48
  %173 = load i64, ptr %172, align 8
  %174 = add i64 %173, 4095
  %175 = lshr i64 %174, 10
  %176 = and i64 %175, 18014398509481980
  tail call void @llvm.memset.p0.i64(ptr align 1 %171, i8 0, i64 %176, i1 false)
  store i32 1, ptr %165, align 8
  br label %190

177:
  %178 = phi i64 [ 0, %161 ], [ %188, %177 ]
  %179 = getelementptr inbounds nuw %struct.Placed, ptr %163, i64 %178
  %180 = getelementptr inbounds nuw i8, ptr %179, i64 4
  %181 = load i32, ptr %180, align 4
  %182 = zext i32 %181 to i64
  %183 = getelementptr inbounds nuw i32, ptr %3, i64 %182
  %184 = load i32, ptr %183, align 4
  %185 = load i32, ptr %179, align 4
  %186 = zext i32 %185 to i64
  %187 = getelementptr inbounds nuw i8, ptr %146, i64 %186
  store i32 %184, ptr %187, align 4
  %188 = add nuw i64 %178, 1
  %189 = icmp eq i64 %188, %159
  br i1 %189, label %164, label %177

190:
  %191 = add nuw i32 %140, 1
  %192 = load i32, ptr %90, align 4
  %193 = icmp ult i32 %191, %192
  br i1 %193, label %139, label %134

194:
  tail call void %59(ptr noundef nonnull %0)
  br label %195

195:
  ret void
}

define void @empty_pool(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = load ptr, ptr %0, align 8
  %3 = icmp eq ptr %2, null
  br i1 %3, label %7, label %4

4:
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  br label %9

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %8, i8 0, i64 32, i1 false)
  ret void

9:
  %10 = phi ptr [ %6, %4 ], [ %11, %9 ]
  %11 = phi ptr [ %2, %4 ], [ %13, %9 ]
  %12 = load ptr, ptr %11, align 8
  store ptr %12, ptr %0, align 8
  store ptr %10, ptr %11, align 8
  store ptr %11, ptr %5, align 8
  %13 = load ptr, ptr %0, align 8
  %14 = icmp eq ptr %13, null
  br i1 %14, label %7, label %9
}

define range(i32 0, 2) i32 @races_again(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %3 = load i64, ptr %2, align 8
  %4 = icmp ne i64 %3, 0
  %5 = zext i1 %4 to i32
  ret i32 %5
}

define void @report(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1) local_unnamed_addr {
  %3 = load i32, ptr %1, align 8
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %5 = load i32, ptr %4, align 4
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %7 = load i64, ptr %6, align 8
  %8 = tail call ptr @lm_hazard(ptr noundef %0, i32 noundef %3, i32 noundef %5, i64 noundef %7)
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 288
  %12 = icmp eq ptr %8, %11
  br i1 %12, label %15, label %13

13:
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(112) %8, ptr noundef nonnull align 8 dereferenceable(112) %1, i64 112, i1 false)
  %14 = getelementptr inbounds nuw i8, ptr %8, i64 88
  store i32 1, ptr %14, align 8
  br label %15

15:
  ret void
}

define void @lm_undefined(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  br label %7

7:
  %8 = phi i64 [ 0, %6 ], [ %12, %7 ]
  %9 = shl nuw nsw i64 1, %8
  %10 = and i64 %9, %2
  %11 = icmp ne i64 %10, 0
  %12 = add nuw nsw i64 %8, 1
  %13 = icmp eq i64 %12, 63
  %14 = select i1 %11, i1 true, i1 %13
  br i1 %14, label %15, label %7

15:
  %16 = tail call i32 @race_decides(ptr noundef %0, i32 noundef %1, i32 poison, i32 noundef %5, i32 noundef %3)
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %18, label %24

18:
  %19 = tail call ptr @lm_hazard(ptr noundef %0, i32 noundef 3, i32 noundef %1, i64 noundef %2)
  %20 = getelementptr inbounds nuw i8, ptr %19, i64 12
  store i32 %3, ptr %20, align 4
  %21 = getelementptr inbounds nuw i8, ptr %19, i64 80
  store i32 %5, ptr %21, align 8
  %22 = zext i32 %4 to i64
  %23 = getelementptr inbounds nuw i8, ptr %19, i64 48
  store i64 %22, ptr %23, align 8
  br label %24

24:
  ret void
}

define range(i32 0, 2) i32 @race_decides(ptr noundef captures(none) %0, i32 noundef %1, i32 %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = alloca { i32, i32, i64 }, align 8
  %7 = alloca [68 x i8], align 8
  %8 = tail call i32 @from_race(ptr noundef %0, i32 noundef %3)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %44, label %10

10:
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 520
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %16 = load ptr, ptr %15, align 8
  %17 = sext i32 %8 to i64
  %18 = getelementptr %struct.Race, ptr %16, i64 %17
  %19 = getelementptr i8, ptr %18, i64 -112
  %20 = load i32, ptr %19, align 8
  %21 = getelementptr i8, ptr %18, i64 -108
  %22 = load i32, ptr %21, align 4
  %23 = getelementptr i8, ptr %18, i64 -104
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %6, ptr noundef nonnull align 8 dereferenceable(16) %23, i64 16, i1 false)
  %24 = getelementptr i8, ptr %18, i64 -88
  %25 = load i64, ptr %24, align 8
  %26 = getelementptr i8, ptr %18, i64 -80
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(68) %7, ptr noundef nonnull align 8 dereferenceable(68) %26, i64 68, i1 false)
  %27 = getelementptr i8, ptr %18, i64 -4
  %28 = load i32, ptr %27, align 4
  %29 = tail call ptr @lm_hazard(ptr noundef %0, i32 noundef %20, i32 noundef %22, i64 noundef %25)
  %30 = load ptr, ptr %11, align 8
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 288
  %32 = icmp eq ptr %29, %31
  br i1 %32, label %43, label %33

33:
  %34 = add i32 %1, 1
  store i32 %20, ptr %29, align 8
  %35 = getelementptr inbounds nuw i8, ptr %29, i64 4
  store i32 %22, ptr %35, align 4
  %36 = getelementptr inbounds nuw i8, ptr %29, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %36, ptr noundef nonnull align 8 dereferenceable(16) %6, i64 16, i1 false)
  %37 = getelementptr inbounds nuw i8, ptr %29, i64 24
  store i64 %25, ptr %37, align 8
  %38 = getelementptr inbounds nuw i8, ptr %29, i64 32
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(68) %38, ptr noundef nonnull align 8 dereferenceable(68) %7, i64 68, i1 false)
  %39 = getelementptr inbounds nuw i8, ptr %29, i64 100
  store i32 %34, ptr %39, align 4
  %40 = getelementptr inbounds nuw i8, ptr %29, i64 104
  store i32 %4, ptr %40, align 8
  %41 = getelementptr inbounds nuw i8, ptr %29, i64 108
  store i32 %28, ptr %41, align 4
  %42 = getelementptr inbounds nuw i8, ptr %29, i64 88
  store i32 1, ptr %42, align 8
  br label %43

43:
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  br label %44

44:
  %45 = phi i32 [ 1, %43 ], [ 0, %5 ]
  ret i32 %45
}

define void @lm_undefined_row(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 108
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %55, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %13 = zext i32 %3 to i64
  %14 = getelementptr inbounds nuw [64 x i32], ptr %12, i64 %13
  %15 = zext i32 %9 to i64
  br label %18

16:
  %17 = icmp eq i64 %31, 0
  br i1 %17, label %55, label %34

18:
  %19 = phi i64 [ 0, %11 ], [ %32, %30 ]
  %20 = phi i64 [ 0, %11 ], [ %31, %30 ]
  %21 = shl nuw i64 1, %19
  %22 = and i64 %21, %2
  %23 = icmp eq i64 %22, 0
  br i1 %23, label %30, label %24

24:
  %25 = getelementptr inbounds nuw i32, ptr %14, i64 %19
  %26 = load i32, ptr %25, align 4
  %27 = icmp eq i32 %26, 0
  %28 = select i1 %27, i64 0, i64 %21
  %29 = or i64 %28, %20
  br label %30

30:
  %31 = phi i64 [ %20, %18 ], [ %29, %24 ]
  %32 = add nuw nsw i64 %19, 1
  %33 = icmp eq i64 %32, %15
  br i1 %33, label %16, label %18

34:
  %35 = phi i64 [ %40, %39 ], [ 0, %16 ]
  %36 = shl nuw nsw i64 1, %35
  %37 = and i64 %36, %31
  %38 = icmp eq i64 %37, 0
  br i1 %38, label %39, label %42

39:
  %40 = add nuw nsw i64 %35, 1
  %41 = icmp eq i64 %40, 63
  br i1 %41, label %44, label %34

42:
  %43 = and i64 %35, 4294967295
  br label %44

44:
  %45 = phi i64 [ %43, %42 ], [ 63, %39 ]
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %47 = zext i32 %3 to i64
  %48 = getelementptr inbounds nuw [64 x i32], ptr %46, i64 %47
  %49 = getelementptr inbounds nuw i32, ptr %48, i64 %45
  %50 = load i32, ptr %49, align 4
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %52 = getelementptr inbounds nuw [64 x i32], ptr %51, i64 %47
  %53 = getelementptr inbounds nuw i32, ptr %52, i64 %45
  %54 = load i32, ptr %53, align 4
  tail call void @lm_undefined(ptr noundef %0, i32 noundef %1, i64 noundef %31, i32 noundef %4, i32 noundef %50, i32 noundef %54)
  br label %55

55:
  ret void
}

define void @lm_undefined_uniform(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = icmp eq i64 %3, 0
  br i1 %6, label %13, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %9 = load i64, ptr %8, align 8
  %10 = lshr i64 %3, 32
  %11 = or i64 %10, %3
  %12 = trunc i64 %11 to i32
  tail call void @lm_undefined(ptr noundef %0, i32 noundef %1, i64 noundef %9, i32 noundef %2, i32 noundef %12, i32 noundef %4)
  br label %13

13:
  ret void
}

define void @lm_rule(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i64 noundef %4) local_unnamed_addr {
  %6 = icmp eq i64 %2, 0
  br i1 %6, label %11, label %7

7:
  %8 = tail call ptr @lm_hazard(ptr noundef %0, i32 noundef 6, i32 noundef %1, i64 noundef %2)
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 12
  store i32 %3, ptr %9, align 4
  %10 = getelementptr inbounds nuw i8, ptr %8, i64 48
  store i64 %4, ptr %10, align 8
  br label %11

11:
  ret void
}

define void @lm_touch_pending(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %5 = load i32, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 4104
  %7 = zext i32 %5 to i64
  br label %8

8:
  %9 = phi i64 [ %12, %11 ], [ %7, %3 ]
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %34, label %11

11:
  %12 = add nsw i64 %9, -1
  %13 = getelementptr inbounds nuw %struct.Outstanding, ptr %6, i64 %12
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %15 = load i32, ptr %14, align 8
  %16 = sub i32 %2, %15
  %17 = getelementptr inbounds nuw i8, ptr %13, i64 12
  %18 = load i32, ptr %17, align 4
  %19 = icmp ult i32 %16, %18
  br i1 %19, label %20, label %8

20:
  %21 = getelementptr inbounds nuw i8, ptr %13, i64 4
  %22 = load i32, ptr %21, align 4
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %24 = load i64, ptr %23, align 8
  %25 = tail call ptr @lm_hazard(ptr noundef nonnull %0, i32 noundef 4, i32 noundef %22, i64 noundef %24)
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 12
  store i32 -1, ptr %26, align 4
  %27 = zext i32 %2 to i64
  %28 = getelementptr inbounds nuw i8, ptr %25, i64 48
  store i64 %27, ptr %28, align 8
  %29 = load i32, ptr %13, align 8
  %30 = zext i32 %29 to i64
  %31 = getelementptr inbounds nuw i8, ptr %25, i64 56
  store i64 %30, ptr %31, align 8
  %32 = zext i32 %1 to i64
  %33 = getelementptr inbounds nuw i8, ptr %25, i64 64
  store i64 %32, ptr %33, align 8
  br label %34

34:
  ret void
}

define void @lm_gather(ptr noundef captures(none) %0, i64 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr {
  %8 = alloca [64 x i32], align 16
  %9 = alloca [64 x i32], align 16
  %10 = alloca [64 x i32], align 16
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 108
  %14 = load i32, ptr %13, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %69, label %16

16:
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %18 = zext i32 %4 to i64
  %19 = getelementptr inbounds nuw [64 x i32], ptr %17, i64 %18
  %20 = icmp eq i32 %6, 0
  %21 = zext i32 %3 to i64
  %22 = getelementptr inbounds nuw [64 x i32], ptr %17, i64 %21
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %24 = getelementptr inbounds nuw [64 x i32], ptr %23, i64 %21
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %26 = getelementptr inbounds nuw [64 x i32], ptr %25, i64 %21
  %27 = zext i32 %14 to i64
  br label %37

28:
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %30 = zext i32 %5 to i64
  %31 = getelementptr inbounds nuw [64 x i32], ptr %29, i64 %30
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %33 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %30
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %35 = getelementptr inbounds nuw [64 x i32], ptr %34, i64 %30
  %36 = zext i32 %14 to i64
  br label %70

37:
  %38 = phi i64 [ 0, %16 ], [ %67, %60 ]
  %39 = getelementptr inbounds nuw i32, ptr %19, i64 %38
  %40 = load i32, ptr %39, align 4
  %41 = urem i32 %40, %14
  %42 = zext nneg i32 %41 to i64
  %43 = lshr i64 %2, %42
  %44 = trunc i64 %43 to i32
  %45 = and i32 %44, 1
  %46 = or i32 %45, %6
  %47 = icmp eq i32 %46, 0
  br i1 %47, label %60, label %48

48:
  %49 = icmp ne i32 %45, 0
  %50 = or i1 %20, %49
  %51 = trunc nuw i64 %38 to i32
  %52 = select i1 %50, i32 %41, i32 %51
  %53 = zext i32 %52 to i64
  %54 = getelementptr inbounds nuw i32, ptr %22, i64 %53
  %55 = load i32, ptr %54, align 4
  %56 = getelementptr inbounds nuw i32, ptr %24, i64 %53
  %57 = load i32, ptr %56, align 4
  %58 = getelementptr inbounds nuw i32, ptr %26, i64 %53
  %59 = load i32, ptr %58, align 4
  br label %60

60:
  %61 = phi i32 [ %55, %48 ], [ 0, %37 ]
  %62 = phi i32 [ %57, %48 ], [ 0, %37 ]
  %63 = phi i32 [ %59, %48 ], [ 0, %37 ]
  %64 = getelementptr inbounds nuw i32, ptr %8, i64 %38
  store i32 %61, ptr %64, align 4
  %65 = getelementptr inbounds nuw i32, ptr %9, i64 %38
  store i32 %62, ptr %65, align 4
  %66 = getelementptr inbounds nuw i32, ptr %10, i64 %38
  store i32 %63, ptr %66, align 4
  %67 = add nuw nsw i64 %38, 1
  %68 = icmp eq i64 %67, %27
  br i1 %68, label %28, label %37

69:
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  ret void

70:
  %71 = phi i64 [ 0, %28 ], [ %86, %85 ]
  %72 = shl nuw i64 1, %71
  %73 = and i64 %72, %1
  %74 = icmp eq i64 %73, 0
  br i1 %74, label %85, label %75

75:
  %76 = getelementptr inbounds nuw i32, ptr %8, i64 %71
  %77 = load i32, ptr %76, align 4
  %78 = getelementptr inbounds nuw i32, ptr %31, i64 %71
  store i32 %77, ptr %78, align 4
  %79 = getelementptr inbounds nuw i32, ptr %9, i64 %71
  %80 = load i32, ptr %79, align 4
  %81 = getelementptr inbounds nuw i32, ptr %33, i64 %71
  store i32 %80, ptr %81, align 4
  %82 = getelementptr inbounds nuw i32, ptr %10, i64 %71
  %83 = load i32, ptr %82, align 4
  %84 = getelementptr inbounds nuw i32, ptr %35, i64 %71
  store i32 %83, ptr %84, align 4
  br label %85

85:
  %86 = add nuw nsw i64 %71, 1
  %87 = icmp eq i64 %86, %36
  br i1 %87, label %69, label %70
}

define void @lm_scatter(ptr noundef captures(none) %0, i64 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = alloca [64 x i32], align 16
  %7 = alloca [64 x i32], align 16
  %8 = alloca [64 x i32], align 16
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 108
  %12 = load i32, ptr %11, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %52, label %14

14:
  %15 = zext i32 %12 to i64
  %16 = shl nuw nsw i64 %15, 2
  call void @llvm.memset.p0.i64(ptr nonnull align 16 %6, i8 -1, i64 %16, i1 false)
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %18 = zext i32 %2 to i64
  %19 = getelementptr inbounds nuw [64 x i32], ptr %17, i64 %18
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %21 = getelementptr inbounds nuw [64 x i32], ptr %20, i64 %18
  %22 = zext i32 %3 to i64
  %23 = getelementptr inbounds nuw [64 x i32], ptr %17, i64 %22
  %24 = zext i32 %12 to i64
  %25 = shl nuw nsw i64 %24, 2
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %7, ptr nonnull align 4 %19, i64 %25, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %8, ptr nonnull align 4 %21, i64 %25, i1 false)
  br label %37

26:
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %28 = zext i32 %4 to i64
  %29 = getelementptr inbounds nuw [64 x i32], ptr %27, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %31 = getelementptr inbounds nuw [64 x i32], ptr %30, i64 %28
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %33 = zext i32 %2 to i64
  %34 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %33
  %35 = zext i32 %12 to i64
  %36 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %28
  br label %53

37:
  %38 = phi i64 [ 0, %14 ], [ %50, %49 ]
  %39 = shl nuw i64 1, %38
  %40 = and i64 %39, %1
  %41 = icmp eq i64 %40, 0
  br i1 %41, label %49, label %42

42:
  %43 = getelementptr inbounds nuw i32, ptr %23, i64 %38
  %44 = load i32, ptr %43, align 4
  %45 = urem i32 %44, %12
  %46 = zext i32 %45 to i64
  %47 = getelementptr inbounds nuw i32, ptr %6, i64 %46
  %48 = trunc nuw i64 %38 to i32
  store i32 %48, ptr %47, align 4
  br label %49

49:
  %50 = add nuw nsw i64 %38, 1
  %51 = icmp eq i64 %50, %24
  br i1 %51, label %26, label %37

52:
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  ret void

53:
  %54 = phi i64 [ 0, %26 ], [ %79, %78 ]
  %55 = shl nuw i64 1, %54
  %56 = and i64 %55, %1
  %57 = icmp eq i64 %56, 0
  br i1 %57, label %78, label %58

58:
  %59 = getelementptr inbounds nuw i32, ptr %6, i64 %54
  %60 = load i32, ptr %59, align 4
  %61 = icmp eq i32 %60, -1
  br i1 %61, label %62, label %65

62:
  %63 = getelementptr inbounds nuw i32, ptr %29, i64 %54
  store i32 0, ptr %63, align 4
  %64 = getelementptr inbounds nuw i32, ptr %31, i64 %54
  store i32 0, ptr %64, align 4
  br label %75

65:
  %66 = zext i32 %60 to i64
  %67 = getelementptr inbounds nuw i32, ptr %7, i64 %66
  %68 = load i32, ptr %67, align 4
  %69 = getelementptr inbounds nuw i32, ptr %29, i64 %54
  store i32 %68, ptr %69, align 4
  %70 = getelementptr inbounds nuw i32, ptr %8, i64 %66
  %71 = load i32, ptr %70, align 4
  %72 = getelementptr inbounds nuw i32, ptr %31, i64 %54
  store i32 %71, ptr %72, align 4
  %73 = getelementptr inbounds nuw i32, ptr %34, i64 %66
  %74 = load i32, ptr %73, align 4
  br label %75

75:
  %76 = phi i32 [ %74, %65 ], [ 0, %62 ]
  %77 = getelementptr inbounds nuw i32, ptr %36, i64 %54
  store i32 %76, ptr %77, align 4
  br label %78

78:
  %79 = add nuw nsw i64 %54, 1
  %80 = icmp eq i64 %79, %35
  br i1 %80, label %52, label %53
}

define void @lm_matrix(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, i32 noundef %8, i32 noundef %9) local_unnamed_addr {
  %11 = alloca %struct.Panel, align 64
  %12 = alloca %struct.Panel, align 64
  %13 = alloca %struct.Operand, align 8
  %14 = alloca %struct.Operand, align 8
  %15 = alloca [128 x i8], align 16
  %16 = alloca [128 x i8], align 16
  %17 = alloca [8192 x i8], align 64
  %18 = alloca [32 x ptr], align 16
  %19 = alloca %struct.SumRule, align 4
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 136
  %23 = load ptr, ptr %22, align 8
  %24 = zext i32 %2 to i64
  %25 = getelementptr inbounds nuw ptr, ptr %23, i64 %24
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  call void @llvm.lifetime.start.p0(ptr nonnull %13)
  call void @llvm.lifetime.start.p0(ptr nonnull %14)
  call void @llvm.lifetime.start.p0(ptr nonnull %15)
  call void @llvm.lifetime.start.p0(ptr nonnull %16)
  call void @llvm.lifetime.start.p0(ptr nonnull %17)
  call void @llvm.lifetime.start.p0(ptr nonnull %18)
  %26 = icmp eq i32 %8, 0
  br i1 %26, label %30, label %27

27:
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 32
  br label %63

30:
  call void @llvm.lifetime.start.p0(ptr nonnull %19)
  %31 = getelementptr inbounds nuw i8, ptr %19, i64 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(40) %31, i8 0, i64 40, i1 false)
  %32 = icmp eq i32 %7, 1
  %33 = zext i1 %32 to i32
  store i32 %33, ptr %19, align 4
  %34 = getelementptr inbounds nuw i8, ptr %19, i64 4
  store i32 %7, ptr %34, align 4
  %35 = load ptr, ptr %25, align 8
  %36 = and i32 %5, 255
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  store ptr %37, ptr %13, align 8
  %38 = getelementptr inbounds nuw i8, ptr %35, i64 4
  %39 = getelementptr inbounds nuw i8, ptr %13, i64 8
  store ptr %38, ptr %39, align 8
  %40 = load i32, ptr %35, align 4
  %41 = getelementptr inbounds nuw i8, ptr %13, i64 16
  store i32 %40, ptr %41, align 8
  %42 = getelementptr inbounds nuw i8, ptr %13, i64 20
  store i32 32, ptr %42, align 4
  %43 = getelementptr inbounds nuw i8, ptr %13, i64 24
  store i32 0, ptr %43, align 8
  %44 = getelementptr inbounds nuw i8, ptr %13, i64 28
  store i32 256, ptr %44, align 4
  %45 = getelementptr inbounds nuw i8, ptr %13, i64 40
  store i32 %3, ptr %45, align 8
  %46 = getelementptr inbounds nuw i8, ptr %13, i64 44
  store i32 %36, ptr %46, align 4
  %47 = getelementptr inbounds nuw i8, ptr %13, i64 32
  store ptr null, ptr %47, align 8
  %48 = getelementptr inbounds nuw i8, ptr %25, i64 8
  %49 = load ptr, ptr %48, align 8
  %50 = lshr i32 %5, 8
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 14912
  store ptr %51, ptr %14, align 8
  %52 = getelementptr inbounds nuw i8, ptr %49, i64 4
  %53 = getelementptr inbounds nuw i8, ptr %14, i64 8
  store ptr %52, ptr %53, align 8
  %54 = load i32, ptr %49, align 4
  %55 = getelementptr inbounds nuw i8, ptr %14, i64 16
  store i32 %54, ptr %55, align 8
  %56 = getelementptr inbounds nuw i8, ptr %14, i64 20
  store i32 32, ptr %56, align 4
  %57 = getelementptr inbounds nuw i8, ptr %14, i64 24
  store i32 0, ptr %57, align 8
  %58 = getelementptr inbounds nuw i8, ptr %14, i64 28
  store i32 256, ptr %58, align 4
  %59 = getelementptr inbounds nuw i8, ptr %14, i64 40
  store i32 %3, ptr %59, align 8
  %60 = getelementptr inbounds nuw i8, ptr %14, i64 44
  store i32 %50, ptr %60, align 4
  %61 = getelementptr inbounds nuw i8, ptr %14, i64 32
  store ptr null, ptr %61, align 8
  %62 = icmp ult i32 %6, 16777216
  br i1 %62, label %206, label %105

63:
  %64 = phi i64 [ 0, %27 ], [ %103, %102 ]
  %65 = getelementptr inbounds nuw i32, ptr @__const.lm_matrix.start, i64 %64
  %66 = load i32, ptr %65, align 4
  %67 = trunc i64 %64 to i32
  %68 = shl i32 %67, 3
  %69 = lshr i32 %6, %68
  %70 = and i32 %69, 255
  %71 = add i32 %66, %70
  %72 = icmp ult i32 %66, %71
  br i1 %72, label %73, label %102

73:
  %74 = zext i32 %66 to i64
  %75 = zext i32 %71 to i64
  br label %76

76:
  %77 = phi i64 [ %74, %73 ], [ %100, %99 ]
  %78 = load ptr, ptr %20, align 8
  %79 = getelementptr inbounds nuw i8, ptr %78, i64 108
  %80 = load i32, ptr %79, align 4
  %81 = icmp eq i32 %80, 0
  br i1 %81, label %99, label %82

82:
  %83 = getelementptr inbounds nuw [64 x i32], ptr %28, i64 %77
  %84 = zext i32 %80 to i64
  br label %88

85:
  %86 = tail call i32 @llvm.vector.reduce.or.v16i32(<16 x i32> %93)
  %87 = icmp eq i32 %86, 0
  br i1 %87, label %99, label %96

88:
  %89 = phi i64 [ 0, %82 ], [ %94, %88 ]
  %90 = phi <16 x i32> [ zeroinitializer, %82 ], [ %93, %88 ]
  %91 = getelementptr inbounds nuw i32, ptr %83, i64 %89
  %92 = load <16 x i32>, ptr %91, align 4
  %93 = or <16 x i32> %92, %90
  %94 = add nuw nsw i64 %89, 16
  %95 = icmp samesign ult i64 %94, %84
  br i1 %95, label %88, label %85

96:
  %97 = load i64, ptr %29, align 8
  %98 = trunc nuw i64 %77 to i32
  tail call void @lm_undefined_row(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %97, i32 noundef %98, i32 noundef %9)
  br label %99

99:
  %100 = add nuw nsw i64 %77, 1
  %101 = icmp eq i64 %100, %75
  br i1 %101, label %102, label %76

102:
  %103 = add nuw nsw i64 %64, 1
  %104 = icmp eq i64 %103, 4
  br i1 %104, label %30, label %63

105:
  %106 = getelementptr inbounds nuw i8, ptr %25, i64 24
  %107 = load ptr, ptr %106, align 8
  %108 = lshr i32 %4, 5
  %109 = getelementptr inbounds nuw i8, ptr %107, i64 4
  %110 = load i32, ptr %107, align 4
  %111 = icmp eq i32 %108, 0
  br i1 %111, label %115, label %112

112:
  %113 = tail call i32 @llvm.umax.i32(i32 %3, i32 1)
  %114 = zext i32 %113 to i64
  br label %118

115:
  store ptr %15, ptr %47, align 8
  %116 = getelementptr inbounds nuw i8, ptr %13, i64 48
  store i32 10, ptr %116, align 8
  %117 = getelementptr inbounds nuw i8, ptr %13, i64 52
  store i32 32, ptr %117, align 4
  br label %203

118:
  %119 = phi i32 [ %123, %122 ], [ %3, %112 ]
  %120 = phi i32 [ %124, %122 ], [ 0, %112 ]
  %121 = icmp eq i32 %119, 0
  br i1 %121, label %122, label %126

122:
  %123 = phi i32 [ 0, %118 ], [ %3, %126 ]
  %124 = add nuw nsw i32 %120, 1
  %125 = icmp eq i32 %124, %108
  br i1 %125, label %157, label %118

126:
  %127 = phi i64 [ %155, %126 ], [ 0, %118 ]
  %128 = phi i32 [ %3, %126 ], [ %119, %118 ]
  %129 = mul i32 %128, %120
  %130 = trunc nuw i64 %127 to i32
  %131 = add i32 %129, %130
  %132 = udiv i32 %131, %110
  %133 = zext i32 %132 to i64
  %134 = getelementptr inbounds nuw i32, ptr %109, i64 %133
  %135 = load i32, ptr %134, align 4
  %136 = urem i32 %130, %110
  %137 = shl i32 %136, 5
  %138 = add i32 %137, %135
  %139 = lshr i32 %138, 5
  %140 = lshr i32 %138, 11
  %141 = zext nneg i32 %140 to i64
  %142 = getelementptr inbounds nuw [64 x i32], ptr %37, i64 %141
  %143 = getelementptr inbounds nuw i8, ptr %142, i64 17920
  %144 = and i32 %139, 63
  %145 = zext nneg i32 %144 to i64
  %146 = getelementptr inbounds nuw i32, ptr %143, i64 %145
  %147 = load i32, ptr %146, align 4
  %148 = and i32 %135, 31
  %149 = lshr i32 %147, %148
  %150 = trunc i32 %149 to i8
  %151 = mul i32 %108, %130
  %152 = add i32 %151, %120
  %153 = zext i32 %152 to i64
  %154 = getelementptr inbounds nuw i8, ptr %15, i64 %153
  store i8 %150, ptr %154, align 1
  %155 = add nuw nsw i64 %127, 1
  %156 = icmp eq i64 %155, %114
  br i1 %156, label %122, label %126

157:
  store ptr %15, ptr %47, align 8
  %158 = getelementptr inbounds nuw i8, ptr %13, i64 48
  store i32 10, ptr %158, align 8
  %159 = getelementptr inbounds nuw i8, ptr %13, i64 52
  store i32 32, ptr %159, align 4
  %160 = getelementptr inbounds nuw i8, ptr %25, i64 32
  %161 = load ptr, ptr %160, align 8
  %162 = getelementptr inbounds nuw i8, ptr %161, i64 4
  %163 = load i32, ptr %161, align 4
  br label %164

164:
  %165 = phi i32 [ %3, %157 ], [ %169, %168 ]
  %166 = phi i32 [ 0, %157 ], [ %170, %168 ]
  %167 = icmp eq i32 %165, 0
  br i1 %167, label %168, label %172

168:
  %169 = phi i32 [ 0, %164 ], [ %3, %172 ]
  %170 = add nuw nsw i32 %166, 1
  %171 = icmp eq i32 %170, %108
  br i1 %171, label %203, label %164

172:
  %173 = phi i64 [ %201, %172 ], [ 0, %164 ]
  %174 = phi i32 [ %3, %172 ], [ %165, %164 ]
  %175 = mul i32 %174, %166
  %176 = trunc nuw i64 %173 to i32
  %177 = add i32 %175, %176
  %178 = udiv i32 %177, %163
  %179 = zext i32 %178 to i64
  %180 = getelementptr inbounds nuw i32, ptr %162, i64 %179
  %181 = load i32, ptr %180, align 4
  %182 = urem i32 %176, %163
  %183 = shl i32 %182, 5
  %184 = add i32 %183, %181
  %185 = lshr i32 %184, 5
  %186 = lshr i32 %184, 11
  %187 = zext nneg i32 %186 to i64
  %188 = getelementptr inbounds nuw [64 x i32], ptr %37, i64 %187
  %189 = getelementptr inbounds nuw i8, ptr %188, i64 18176
  %190 = and i32 %185, 63
  %191 = zext nneg i32 %190 to i64
  %192 = getelementptr inbounds nuw i32, ptr %189, i64 %191
  %193 = load i32, ptr %192, align 4
  %194 = and i32 %181, 31
  %195 = lshr i32 %193, %194
  %196 = trunc i32 %195 to i8
  %197 = mul i32 %108, %176
  %198 = add i32 %197, %166
  %199 = zext i32 %198 to i64
  %200 = getelementptr inbounds nuw i8, ptr %16, i64 %199
  store i8 %196, ptr %200, align 1
  %201 = add nuw nsw i64 %173, 1
  %202 = icmp eq i64 %201, %114
  br i1 %202, label %168, label %172

203:
  store ptr %16, ptr %61, align 8
  %204 = getelementptr inbounds nuw i8, ptr %14, i64 48
  store i32 10, ptr %204, align 8
  %205 = getelementptr inbounds nuw i8, ptr %14, i64 52
  store i32 32, ptr %205, align 4
  br label %206

206:
  call void @pack(ptr noundef nonnull %11, ptr noundef nonnull %13, i32 noundef %4, ptr noundef nonnull %19)
  call void @pack(ptr noundef nonnull %12, ptr noundef nonnull %14, i32 noundef %4, ptr noundef nonnull %19)
  %207 = icmp eq i32 %7, 2
  br i1 %207, label %213, label %208

208:
  %209 = getelementptr inbounds nuw i8, ptr %25, i64 16
  %210 = load ptr, ptr %209, align 8
  %211 = load i32, ptr %210, align 4
  %212 = icmp eq i32 %211, %3
  br label %213

213:
  %214 = phi i1 [ false, %206 ], [ %212, %208 ]
  %215 = icmp eq i32 %3, 0
  br i1 %215, label %221, label %216

216:
  %217 = select i1 %207, i32 3, i32 2
  %218 = getelementptr inbounds nuw i8, ptr %0, i64 16960
  %219 = getelementptr inbounds nuw i8, ptr %25, i64 16
  %220 = zext i32 %3 to i64
  br label %222

221:
  br i1 %214, label %302, label %244

222:
  %223 = phi i64 [ 0, %216 ], [ %240, %239 ]
  br i1 %214, label %224, label %232

224:
  %225 = load ptr, ptr %219, align 8
  %226 = add nuw nsw i64 %223, 1
  %227 = getelementptr inbounds nuw i32, ptr %225, i64 %226
  %228 = load i32, ptr %227, align 4
  %229 = lshr i32 %228, 3
  %230 = zext nneg i32 %229 to i64
  %231 = getelementptr inbounds nuw i8, ptr %218, i64 %230
  br label %239

232:
  %233 = trunc nuw i64 %223 to i32
  %234 = mul i32 %3, %233
  %235 = shl i32 %234, %217
  %236 = zext i32 %235 to i64
  %237 = getelementptr inbounds nuw i8, ptr %17, i64 %236
  %238 = add nuw nsw i64 %223, 1
  br label %239

239:
  %240 = phi i64 [ %238, %232 ], [ %226, %224 ]
  %241 = phi ptr [ %237, %232 ], [ %231, %224 ]
  %242 = getelementptr inbounds nuw ptr, ptr %18, i64 %223
  store ptr %241, ptr %242, align 8
  %243 = icmp eq i64 %240, %220
  br i1 %243, label %221, label %222

244:
  %245 = getelementptr inbounds nuw i8, ptr %25, i64 16
  %246 = load ptr, ptr %245, align 8
  %247 = getelementptr inbounds nuw i8, ptr %246, i64 4
  %248 = load i32, ptr %246, align 4
  %249 = mul i32 %3, %3
  %250 = icmp eq i32 %249, 0
  br i1 %250, label %302, label %251

251:
  %252 = getelementptr inbounds nuw i8, ptr %0, i64 16960
  %253 = select i1 %207, i32 3, i32 2
  br label %254

254:
  %255 = phi i32 [ 0, %251 ], [ %274, %273 ]
  %256 = udiv i32 %255, %248
  %257 = zext i32 %256 to i64
  %258 = getelementptr inbounds nuw i32, ptr %247, i64 %257
  %259 = load i32, ptr %258, align 4
  %260 = lshr i32 %259, 5
  %261 = urem i32 %255, %248
  %262 = add i32 %260, %261
  %263 = zext i32 %262 to i64
  %264 = getelementptr inbounds nuw i32, ptr %252, i64 %263
  %265 = shl i32 %255, %253
  %266 = zext i32 %265 to i64
  %267 = getelementptr inbounds nuw i8, ptr %17, i64 %266
  %268 = load i32, ptr %264, align 4
  store i32 %268, ptr %267, align 4
  br i1 %207, label %269, label %273

269:
  %270 = getelementptr inbounds nuw i8, ptr %264, i64 256
  %271 = load i32, ptr %270, align 4
  %272 = getelementptr inbounds nuw i8, ptr %267, i64 4
  store i32 %271, ptr %272, align 4
  br label %273

273:
  %274 = add nuw i32 %255, 1
  %275 = icmp eq i32 %274, %249
  br i1 %275, label %276, label %254

276:
  call void @multiply(ptr noundef nonnull %11, ptr noundef nonnull %12, ptr noundef nonnull %19, ptr noundef nonnull %18)
  %277 = load ptr, ptr %245, align 8
  %278 = getelementptr inbounds nuw i8, ptr %277, i64 4
  %279 = load i32, ptr %277, align 4
  br label %280

280:
  %281 = phi i32 [ 0, %276 ], [ %300, %299 ]
  %282 = udiv i32 %281, %279
  %283 = zext i32 %282 to i64
  %284 = getelementptr inbounds nuw i32, ptr %278, i64 %283
  %285 = load i32, ptr %284, align 4
  %286 = lshr i32 %285, 5
  %287 = urem i32 %281, %279
  %288 = add i32 %286, %287
  %289 = zext i32 %288 to i64
  %290 = getelementptr inbounds nuw i32, ptr %252, i64 %289
  %291 = shl i32 %281, %253
  %292 = zext i32 %291 to i64
  %293 = getelementptr inbounds nuw i8, ptr %17, i64 %292
  %294 = load i32, ptr %293, align 4
  store i32 %294, ptr %290, align 4
  br i1 %207, label %295, label %299

295:
  %296 = getelementptr inbounds nuw i8, ptr %290, i64 256
  %297 = getelementptr inbounds nuw i8, ptr %293, i64 4
  %298 = load i32, ptr %297, align 4
  store i32 %298, ptr %296, align 4
  br label %299

299:
  %300 = add nuw i32 %281, 1
  %301 = icmp eq i32 %300, %249
  br i1 %301, label %303, label %280

302:
  call void @multiply(ptr noundef nonnull %11, ptr noundef nonnull %12, ptr noundef nonnull %19, ptr noundef nonnull %18)
  br label %303

303:
  call void @llvm.lifetime.end.p0(ptr nonnull %19)
  call void @llvm.lifetime.end.p0(ptr nonnull %18)
  call void @llvm.lifetime.end.p0(ptr nonnull %17)
  call void @llvm.lifetime.end.p0(ptr nonnull %16)
  call void @llvm.lifetime.end.p0(ptr nonnull %15)
  call void @llvm.lifetime.end.p0(ptr nonnull %14)
  call void @llvm.lifetime.end.p0(ptr nonnull %13)
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  ret void
}

define void @pack(ptr noundef captures(none) initializes((0, 12)) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef readonly captures(none) %3) local_unnamed_addr {
  %5 = alloca [16 x float], align 64
  %6 = alloca [16 x float], align 64
  %7 = alloca [16 x float], align 64
  %8 = alloca [16 x i32], align 64
  %9 = alloca [16 x i32], align 64
  %10 = alloca [16 x float], align 64
  %11 = alloca [128 x [16 x float]], align 64
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %13 = load i32, ptr %12, align 8
  store i32 %13, ptr %0, align 64
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 %2, ptr %14, align 4
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %16 = load ptr, ptr %15, align 8
  %17 = icmp eq ptr %16, null
  br i1 %17, label %21, label %18

18:
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 52
  %20 = load i32, ptr %19, align 4
  br label %21

21:
  %22 = phi i32 [ %20, %18 ], [ 0, %4 ]
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i32 %22, ptr %23, align 8
  %24 = getelementptr inbounds nuw i8, ptr %1, i64 44
  %25 = load i32, ptr %24, align 4
  %26 = icmp eq i32 %25, 9
  %27 = icmp eq i32 %13, 0
  br i1 %26, label %55, label %28

28:
  br i1 %27, label %945, label %29

29:
  %30 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %32 = icmp ne i32 %2, 0
  %33 = zext i32 %2 to i64
  %34 = shl nuw nsw i64 %33, 6
  %35 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %36 = icmp eq i32 %2, 0
  %37 = getelementptr inbounds nuw i8, ptr %1, i64 20
  %38 = getelementptr inbounds nuw i8, ptr %1, i64 28
  %39 = lshr i32 %2, 4
  %40 = icmp eq i32 %39, 0
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 315456
  %42 = getelementptr inbounds nuw i8, ptr %1, i64 52
  %43 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 307264
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 311360
  %46 = zext nneg i32 %39 to i64
  %47 = getelementptr i8, ptr %0, i64 143424
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 274496
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 4112
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 8208
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 208960
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %54 = shl i32 %2, 4
  br label %120

55:
  br i1 %27, label %945, label %56

56:
  %57 = icmp eq i32 %2, 0
  %58 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %59 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %60 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %61 = getelementptr inbounds nuw i8, ptr %1, i64 20
  %62 = getelementptr inbounds nuw i8, ptr %1, i64 28
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %64 = zext i32 %2 to i64
  br label %65

65:
  %66 = phi i32 [ 0, %56 ], [ %82, %81 ]
  br i1 %57, label %81, label %67

67:
  %68 = load i32, ptr %58, align 8
  %69 = icmp eq i32 %68, 0
  %70 = select i1 %69, i32 %13, i32 %2
  %71 = load i32, ptr %59, align 8
  %72 = udiv i32 %70, %71
  %73 = load ptr, ptr %60, align 8
  %74 = load i32, ptr %61, align 4
  %75 = load ptr, ptr %1, align 8
  %76 = load i32, ptr %62, align 4
  %77 = zext i32 %76 to i64
  %78 = lshr i32 %66, 4
  %79 = mul i32 %78, %2
  %80 = and i32 %66, 15
  br label %84

81:
  %82 = add nuw i32 %66, 1
  %83 = icmp eq i32 %82, %13
  br i1 %83, label %945, label %65

84:
  %85 = phi i64 [ 0, %67 ], [ %118, %84 ]
  %86 = trunc nuw i64 %85 to i32
  %87 = select i1 %69, i32 %66, i32 %86
  %88 = select i1 %69, i32 %86, i32 %66
  %89 = mul i32 %88, %72
  %90 = udiv i32 %87, %71
  %91 = add i32 %89, %90
  %92 = zext i32 %91 to i64
  %93 = getelementptr inbounds nuw i32, ptr %73, i64 %92
  %94 = load i32, ptr %93, align 4
  %95 = urem i32 %87, %71
  %96 = mul i32 %95, %74
  %97 = add i32 %96, %94
  %98 = lshr i32 %97, 3
  %99 = and i32 %98, 536870908
  %100 = zext nneg i32 %99 to i64
  %101 = getelementptr inbounds nuw i8, ptr %75, i64 %100
  %102 = and i32 %97, 31
  %103 = load i32, ptr %101, align 1
  %104 = icmp eq i32 %102, 0
  %105 = getelementptr inbounds nuw i8, ptr %101, i64 %77
  %106 = load i32, ptr %105, align 1
  %107 = tail call i32 @llvm.fshr.i32(i32 %106, i32 %103, i32 %97)
  %108 = select i1 %104, i32 %103, i32 %107
  %109 = zext i32 %108 to i64
  %110 = zext i32 %106 to i64
  %111 = shl nuw i64 %110, 32
  %112 = or disjoint i64 %111, %109
  %113 = add i32 %79, %86
  %114 = shl i32 %113, 4
  %115 = or disjoint i32 %114, %80
  %116 = zext i32 %115 to i64
  %117 = getelementptr inbounds nuw double, ptr %63, i64 %116
  store i64 %112, ptr %117, align 8
  %118 = add nuw nsw i64 %85, 1
  %119 = icmp eq i64 %118, %64
  br i1 %119, label %81, label %84

120:
  %121 = phi i32 [ 0, %29 ], [ %944, %940 ]
  %122 = phi i32 [ %13, %29 ], [ %942, %940 ]
  %123 = phi i32 [ 0, %29 ], [ %941, %940 ]
  %124 = mul i32 %54, %121
  %125 = zext i32 %124 to i64
  %126 = shl nuw nsw i64 %125, 2
  %127 = sub nuw i32 %122, %123
  %128 = icmp ult i32 %127, 16
  %129 = tail call i32 @llvm.umin.i32(i32 %127, i32 16)
  %130 = load i32, ptr %30, align 8
  %131 = icmp eq i32 %130, 0
  %132 = load i32, ptr %24, align 4
  br i1 %131, label %388, label %133

133:
  switch i32 %132, label %139 [
    i32 1, label %144
    i32 2, label %134
    i32 3, label %140
    i32 13, label %140
    i32 4, label %135
    i32 5, label %136
    i32 6, label %137
    i32 7, label %138
  ]

134:
  br label %144

135:
  br label %144

136:
  br label %144

137:
  br label %144

138:
  br label %144

139:
  br label %140

140:
  %141 = phi i64 [ 98784247816, %139 ], [ 12884901892, %133 ], [ 12884901892, %133 ]
  %142 = add i32 %132, -8
  %143 = icmp ult i32 %142, 4
  br i1 %143, label %151, label %144

144:
  %145 = phi i64 [ %141, %140 ], [ 42949672965, %133 ], [ 8589934595, %137 ], [ 12884901890, %136 ], [ 8589934597, %135 ], [ 30064771080, %134 ], [ 4294967298, %138 ]
  %146 = trunc i64 %145 to i32
  %147 = add i32 %146, 1
  %148 = lshr i64 %145, 32
  %149 = trunc nuw nsw i64 %148 to i32
  %150 = add i32 %147, %149
  br label %155

151:
  %152 = zext nneg i32 %142 to i64
  %153 = getelementptr inbounds nuw i32, ptr @switch.table.format_bits, i64 %152
  %154 = load i32, ptr %153, align 4
  br label %155

155:
  %156 = phi i32 [ %150, %144 ], [ %154, %151 ]
  %157 = load i32, ptr %31, align 8
  %158 = tail call i32 @llvm.umin.i32(i32 %157, i32 16)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) %9, i8 0, i64 64, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  %159 = and i1 %32, %128
  br i1 %159, label %160, label %161

160:
  call void @llvm.memset.p0.i64(ptr nonnull align 64 %11, i8 0, i64 %34, i1 false)
  br label %161

161:
  %162 = load ptr, ptr %35, align 8
  %163 = udiv i32 %2, %157
  %164 = icmp ugt i32 %157, 15
  %165 = icmp eq i32 %156, 16
  %166 = icmp eq i32 %157, 8
  %167 = icmp eq i32 %156, 8
  %168 = icmp eq i32 %156, 32
  %169 = shl nsw i32 -1, %156
  %170 = xor i32 %169, -1
  %171 = select i1 %168, i32 -1, i32 %170
  %172 = zext nneg i32 %158 to i64
  %173 = icmp ult i32 %156, 32
  %174 = insertelement <16 x i32> poison, i32 %170, i64 0
  %175 = shufflevector <16 x i32> %174, <16 x i32> poison, <16 x i32> zeroinitializer
  %176 = zext nneg i32 %129 to i64
  %177 = select i1 %173, <16 x i32> %175, <16 x i32> splat (i32 -1)
  %178 = and i1 %167, %164
  br label %179

179:
  %180 = phi i64 [ 0, %161 ], [ %199, %198 ]
  %181 = trunc nuw nsw i64 %180 to i32
  %182 = add i32 %123, %181
  %183 = mul i32 %182, %163
  %184 = zext i32 %183 to i64
  %185 = getelementptr inbounds nuw i32, ptr %162, i64 %184
  br i1 %36, label %198, label %186

186:
  %187 = getelementptr inbounds nuw float, ptr %11, i64 %180
  %188 = load i32, ptr %37, align 4
  %189 = load ptr, ptr %1, align 8
  %190 = icmp eq i32 %188, 32
  %191 = and i1 %164, %190
  %192 = icmp eq i32 %188, 16
  %193 = and i1 %165, %192
  %194 = and i1 %164, %193
  %195 = and i1 %166, %193
  %196 = icmp eq i32 %188, 8
  %197 = and i1 %196, %178
  br label %201

198:
  %199 = add nuw nsw i64 %180, 1
  %200 = icmp eq i64 %199, %176
  br i1 %200, label %387, label %179

201:
  %202 = phi i32 [ %379, %376 ], [ %2, %186 ]
  %203 = phi i64 [ %377, %376 ], [ 0, %186 ]
  %204 = tail call i32 @llvm.umax.i32(i32 %202, i32 1)
  %205 = tail call i32 @llvm.umin.i32(i32 %204, i32 16)
  %206 = zext nneg i32 %205 to i64
  %207 = trunc i64 %203 to i32
  %208 = sub i32 %2, %207
  %209 = tail call i32 @llvm.umin.i32(i32 %208, i32 16)
  %210 = zext nneg i32 %209 to i64
  br label %294

211:
  %212 = load <16 x i32>, ptr %9, align 64
  switch i32 %132, label %232 [
    i32 0, label %213
    i32 12, label %215
    i32 2, label %218
    i32 8, label %221
    i32 11, label %225
    i32 1, label %233
    i32 7, label %231
    i32 3, label %227
    i32 13, label %227
    i32 4, label %228
    i32 5, label %229
    i32 6, label %230
  ]

213:
  %214 = bitcast <16 x i32> %212 to <16 x float>
  br label %291

215:
  %216 = and <16 x i32> %212, splat (i32 -8192)
  %217 = bitcast <16 x i32> %216 to <16 x float>
  br label %291

218:
  %219 = shl <16 x i32> %212, splat (i32 16)
  %220 = bitcast <16 x i32> %219 to <16 x float>
  br label %291

221:
  %222 = shl <16 x i32> %212, splat (i32 24)
  %223 = ashr exact <16 x i32> %222, splat (i32 24)
  %224 = sitofp <16 x i32> %223 to <16 x float>
  br label %291

225:
  %226 = sitofp <16 x i32> %212 to <16 x float>
  br label %291

227:
  br label %233

228:
  br label %233

229:
  br label %233

230:
  br label %233

231:
  br label %233

232:
  br label %233

233:
  %234 = phi i64 [ 98784247816, %232 ], [ 4294967298, %231 ], [ 42949672965, %211 ], [ 12884901892, %227 ], [ 8589934597, %228 ], [ 12884901890, %229 ], [ 8589934595, %230 ]
  %235 = phi i64 [ 127, %232 ], [ 8589934593, %231 ], [ 15, %211 ], [ 4294967303, %227 ], [ 15, %228 ], [ 8589934593, %229 ], [ 8589934595, %230 ]
  %236 = trunc i64 %234 to i32
  %237 = lshr i64 %234, 32
  %238 = trunc nuw nsw i64 %237 to i32
  %239 = trunc i64 %235 to i32
  %240 = lshr i64 %235, 32
  %241 = add nuw nsw i32 %238, %236
  %242 = sub nuw nsw i32 23, %238
  %243 = shl nsw i32 -1, %241
  %244 = xor i32 %243, -1
  %245 = insertelement <16 x i32> poison, i32 %244, i64 0
  %246 = shufflevector <16 x i32> %245, <16 x i32> poison, <16 x i32> zeroinitializer
  %247 = and <16 x i32> %246, %212
  %248 = insertelement <16 x i32> poison, i32 %242, i64 0
  %249 = shufflevector <16 x i32> %248, <16 x i32> poison, <16 x i32> zeroinitializer
  %250 = shl <16 x i32> %247, %249
  %251 = shl nuw nsw i32 %239, 23
  %252 = sub nuw nsw i32 1073741824, %251
  %253 = insertelement <16 x i32> poison, i32 %252, i64 0
  %254 = shufflevector <16 x i32> %253, <16 x i32> poison, <16 x i32> zeroinitializer
  %255 = bitcast <16 x i32> %254 to <16 x float>
  %256 = add <16 x i32> %250, %254
  %257 = bitcast <16 x i32> %256 to <16 x float>
  %258 = fsub <16 x float> %257, %255
  %259 = bitcast <16 x float> %258 to <16 x i32>
  %260 = sub nuw nsw i32 1065353216, %251
  %261 = insertelement <16 x i32> poison, i32 %260, i64 0
  %262 = shufflevector <16 x i32> %261, <16 x i32> poison, <16 x i32> zeroinitializer
  %263 = add <16 x i32> %250, %262
  %264 = shl nuw nsw i32 1, %238
  %265 = insertelement <16 x i32> poison, i32 %264, i64 0
  %266 = shufflevector <16 x i32> %265, <16 x i32> poison, <16 x i32> zeroinitializer
  %267 = icmp samesign ult <16 x i32> %247, %266
  %268 = select <16 x i1> %267, <16 x i32> %259, <16 x i32> %263
  switch i64 %240, label %283 [
    i64 0, label %269
    i64 1, label %280
  ]

269:
  %270 = shl nsw i32 -1, %236
  %271 = xor i32 %270, -1
  %272 = shl i32 %271, %238
  %273 = or <16 x i32> %250, splat (i32 2143289344)
  %274 = insertelement <16 x i32> poison, i32 %272, i64 0
  %275 = shufflevector <16 x i32> %274, <16 x i32> poison, <16 x i32> zeroinitializer
  %276 = icmp ugt <16 x i32> %247, %275
  %277 = icmp eq <16 x i32> %247, %275
  %278 = select <16 x i1> %277, <16 x i32> splat (i32 2139095040), <16 x i32> %268
  %279 = select <16 x i1> %276, <16 x i32> %273, <16 x i32> %278
  br label %283

280:
  %281 = icmp eq <16 x i32> %247, %246
  %282 = select <16 x i1> %281, <16 x i32> splat (i32 2143289344), <16 x i32> %268
  br label %283

283:
  %284 = phi <16 x i32> [ %279, %269 ], [ %282, %280 ], [ %268, %233 ]
  %285 = insertelement <16 x i32> poison, i32 %241, i64 0
  %286 = shufflevector <16 x i32> %285, <16 x i32> poison, <16 x i32> zeroinitializer
  %287 = lshr <16 x i32> %212, %286
  %288 = shl <16 x i32> %287, splat (i32 31)
  %289 = or <16 x i32> %284, %288
  %290 = bitcast <16 x i32> %289 to <16 x float>
  br label %291

291:
  %292 = phi <16 x float> [ %290, %283 ], [ %214, %213 ], [ %217, %215 ], [ %220, %218 ], [ %224, %221 ], [ %226, %225 ]
  store <16 x float> %292, ptr %10, align 64
  %293 = getelementptr inbounds nuw [16 x float], ptr %187, i64 %203
  br label %380

294:
  %295 = phi i64 [ %374, %373 ], [ 0, %201 ]
  %296 = trunc nuw nsw i64 %295 to i32
  %297 = add i32 %296, %207
  %298 = udiv i32 %297, %157
  %299 = zext i32 %298 to i64
  %300 = getelementptr inbounds nuw i32, ptr %185, i64 %299
  %301 = load i32, ptr %300, align 4
  %302 = urem i32 %297, %157
  %303 = mul i32 %302, %188
  %304 = add i32 %303, %301
  %305 = getelementptr inbounds nuw i32, ptr %9, i64 %295
  %306 = lshr i32 %304, 3
  %307 = zext nneg i32 %306 to i64
  %308 = getelementptr inbounds nuw i8, ptr %189, i64 %307
  br i1 %191, label %309, label %333

309:
  %310 = and i32 %306, 536870908
  %311 = zext nneg i32 %310 to i64
  %312 = getelementptr inbounds nuw i8, ptr %189, i64 %311
  %313 = and i32 %301, 31
  %314 = load <16 x i32>, ptr %312, align 1
  %315 = insertelement <16 x i32> poison, i32 %313, i64 0
  %316 = shufflevector <16 x i32> %315, <16 x i32> poison, <16 x i32> zeroinitializer
  %317 = lshr <16 x i32> %314, %316
  %318 = add i32 %313, %156
  %319 = icmp ugt i32 %318, 32
  br i1 %319, label %320, label %330

320:
  %321 = load i32, ptr %38, align 4
  %322 = zext i32 %321 to i64
  %323 = getelementptr inbounds nuw i8, ptr %312, i64 %322
  %324 = load <16 x i32>, ptr %323, align 1
  %325 = sub nuw nsw i32 32, %313
  %326 = insertelement <16 x i32> poison, i32 %325, i64 0
  %327 = shufflevector <16 x i32> %326, <16 x i32> poison, <16 x i32> zeroinitializer
  %328 = shl <16 x i32> %324, %327
  %329 = or <16 x i32> %328, %317
  br label %330

330:
  %331 = phi <16 x i32> [ %329, %320 ], [ %317, %309 ]
  %332 = and <16 x i32> %331, %177
  store <16 x i32> %332, ptr %305, align 4
  br label %373

333:
  br i1 %194, label %334, label %337

334:
  %335 = load <16 x i16>, ptr %308, align 1
  %336 = zext <16 x i16> %335 to <16 x i32>
  store <16 x i32> %336, ptr %305, align 4
  br label %373

337:
  br i1 %195, label %338, label %341

338:
  %339 = load <8 x i16>, ptr %308, align 1
  %340 = zext <8 x i16> %339 to <8 x i32>
  store <8 x i32> %340, ptr %305, align 4
  br label %373

341:
  br i1 %197, label %342, label %345

342:
  %343 = load <16 x i8>, ptr %308, align 1
  %344 = zext <16 x i8> %343 to <16 x i32>
  store <16 x i32> %344, ptr %305, align 4
  br label %373

345:
  %346 = phi i64 [ %371, %367 ], [ 0, %341 ]
  %347 = trunc nuw nsw i64 %346 to i32
  %348 = mul i32 %188, %347
  %349 = add i32 %348, %304
  %350 = lshr i32 %349, 3
  %351 = and i32 %350, 536870908
  %352 = zext nneg i32 %351 to i64
  %353 = getelementptr inbounds nuw i8, ptr %189, i64 %352
  %354 = and i32 %349, 31
  %355 = load i32, ptr %353, align 1
  %356 = lshr i32 %355, %354
  %357 = add i32 %354, %156
  %358 = icmp ugt i32 %357, 32
  br i1 %358, label %359, label %367

359:
  %360 = load i32, ptr %38, align 4
  %361 = zext i32 %360 to i64
  %362 = getelementptr inbounds nuw i8, ptr %353, i64 %361
  %363 = load i32, ptr %362, align 1
  %364 = sub nuw nsw i32 32, %354
  %365 = shl i32 %363, %364
  %366 = or disjoint i32 %365, %356
  br label %367

367:
  %368 = phi i32 [ %366, %359 ], [ %356, %345 ]
  %369 = and i32 %368, %171
  %370 = getelementptr inbounds nuw i32, ptr %305, i64 %346
  store i32 %369, ptr %370, align 4
  %371 = add nuw nsw i64 %346, 1
  %372 = icmp eq i64 %371, %172
  br i1 %372, label %373, label %345

373:
  %374 = add nuw nsw i64 %295, %172
  %375 = icmp samesign ult i64 %374, %210
  br i1 %375, label %294, label %211

376:
  %377 = add nuw nsw i64 %203, 16
  %378 = icmp samesign ult i64 %377, %33
  %379 = add i32 %202, -16
  br i1 %378, label %201, label %198

380:
  %381 = phi i64 [ 0, %291 ], [ %385, %380 ]
  %382 = getelementptr inbounds nuw float, ptr %10, i64 %381
  %383 = load float, ptr %382, align 4
  %384 = getelementptr inbounds nuw [16 x float], ptr %293, i64 %381
  store float %383, ptr %384, align 4
  %385 = add nuw nsw i64 %381, 1
  %386 = icmp eq i64 %385, %206
  br i1 %386, label %376, label %380

387:
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  br label %616

388:
  switch i32 %132, label %394 [
    i32 1, label %399
    i32 2, label %389
    i32 3, label %395
    i32 13, label %395
    i32 4, label %390
    i32 5, label %391
    i32 6, label %392
    i32 7, label %393
  ]

389:
  br label %399

390:
  br label %399

391:
  br label %399

392:
  br label %399

393:
  br label %399

394:
  br label %395

395:
  %396 = phi i64 [ 98784247816, %394 ], [ 12884901892, %388 ], [ 12884901892, %388 ]
  %397 = add i32 %132, -8
  %398 = icmp ult i32 %397, 4
  br i1 %398, label %406, label %399

399:
  %400 = phi i64 [ %396, %395 ], [ 42949672965, %388 ], [ 8589934595, %392 ], [ 12884901890, %391 ], [ 8589934597, %390 ], [ 30064771080, %389 ], [ 4294967298, %393 ]
  %401 = trunc i64 %400 to i32
  %402 = add i32 %401, 1
  %403 = lshr i64 %400, 32
  %404 = trunc nuw nsw i64 %403 to i32
  %405 = add i32 %402, %404
  br label %410

406:
  %407 = zext nneg i32 %397 to i64
  %408 = getelementptr inbounds nuw i32, ptr @switch.table.format_bits, i64 %407
  %409 = load i32, ptr %408, align 4
  br label %410

410:
  %411 = phi i32 [ %405, %399 ], [ %409, %406 ]
  %412 = load i32, ptr %31, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) %8, i8 0, i64 64, i1 false)
  br i1 %36, label %615, label %413

413:
  %414 = tail call i32 @llvm.umin.i32(i32 %412, i32 16)
  %415 = icmp ugt i32 %412, 15
  %416 = icmp eq i32 %411, 16
  %417 = icmp eq i32 %412, 8
  %418 = icmp eq i32 %411, 8
  %419 = icmp eq i32 %411, 32
  %420 = shl nsw i32 -1, %411
  %421 = xor i32 %420, -1
  %422 = select i1 %419, i32 -1, i32 %421
  %423 = zext nneg i32 %414 to i64
  %424 = icmp ult i32 %411, 32
  %425 = insertelement <16 x i32> poison, i32 %421, i64 0
  %426 = shufflevector <16 x i32> %425, <16 x i32> poison, <16 x i32> zeroinitializer
  %427 = zext nneg i32 %129 to i64
  %428 = select i1 %424, <16 x i32> %426, <16 x i32> splat (i32 -1)
  %429 = load ptr, ptr %35, align 8
  %430 = udiv i32 %122, %412
  %431 = load i32, ptr %37, align 4
  %432 = load ptr, ptr %1, align 8
  %433 = icmp eq i32 %431, 32
  %434 = and i1 %415, %433
  %435 = icmp eq i32 %431, 16
  %436 = and i1 %416, %435
  %437 = and i1 %415, %436
  %438 = and i1 %417, %436
  %439 = icmp eq i32 %431, 8
  %440 = and i1 %418, %439
  %441 = and i1 %415, %440
  br label %442

442:
  %443 = phi i64 [ 0, %413 ], [ %531, %528 ]
  %444 = trunc nuw i64 %443 to i32
  %445 = mul i32 %430, %444
  %446 = zext i32 %445 to i64
  %447 = getelementptr inbounds nuw i32, ptr %429, i64 %446
  br label %533

448:
  %449 = load <16 x i32>, ptr %8, align 64
  switch i32 %132, label %469 [
    i32 0, label %450
    i32 12, label %452
    i32 2, label %455
    i32 8, label %458
    i32 11, label %462
    i32 1, label %470
    i32 7, label %468
    i32 3, label %464
    i32 13, label %464
    i32 4, label %465
    i32 5, label %466
    i32 6, label %467
  ]

450:
  %451 = bitcast <16 x i32> %449 to <16 x float>
  br label %528

452:
  %453 = and <16 x i32> %449, splat (i32 -8192)
  %454 = bitcast <16 x i32> %453 to <16 x float>
  br label %528

455:
  %456 = shl <16 x i32> %449, splat (i32 16)
  %457 = bitcast <16 x i32> %456 to <16 x float>
  br label %528

458:
  %459 = shl <16 x i32> %449, splat (i32 24)
  %460 = ashr exact <16 x i32> %459, splat (i32 24)
  %461 = sitofp <16 x i32> %460 to <16 x float>
  br label %528

462:
  %463 = sitofp <16 x i32> %449 to <16 x float>
  br label %528

464:
  br label %470

465:
  br label %470

466:
  br label %470

467:
  br label %470

468:
  br label %470

469:
  br label %470

470:
  %471 = phi i64 [ 98784247816, %469 ], [ 4294967298, %468 ], [ 42949672965, %448 ], [ 12884901892, %464 ], [ 8589934597, %465 ], [ 12884901890, %466 ], [ 8589934595, %467 ]
  %472 = phi i64 [ 127, %469 ], [ 8589934593, %468 ], [ 15, %448 ], [ 4294967303, %464 ], [ 15, %465 ], [ 8589934593, %466 ], [ 8589934595, %467 ]
  %473 = trunc i64 %471 to i32
  %474 = lshr i64 %471, 32
  %475 = trunc nuw nsw i64 %474 to i32
  %476 = trunc i64 %472 to i32
  %477 = lshr i64 %472, 32
  %478 = add nuw nsw i32 %475, %473
  %479 = sub nuw nsw i32 23, %475
  %480 = shl nsw i32 -1, %478
  %481 = xor i32 %480, -1
  %482 = insertelement <16 x i32> poison, i32 %481, i64 0
  %483 = shufflevector <16 x i32> %482, <16 x i32> poison, <16 x i32> zeroinitializer
  %484 = and <16 x i32> %483, %449
  %485 = insertelement <16 x i32> poison, i32 %479, i64 0
  %486 = shufflevector <16 x i32> %485, <16 x i32> poison, <16 x i32> zeroinitializer
  %487 = shl <16 x i32> %484, %486
  %488 = shl nuw nsw i32 %476, 23
  %489 = sub nuw nsw i32 1073741824, %488
  %490 = insertelement <16 x i32> poison, i32 %489, i64 0
  %491 = shufflevector <16 x i32> %490, <16 x i32> poison, <16 x i32> zeroinitializer
  %492 = bitcast <16 x i32> %491 to <16 x float>
  %493 = add <16 x i32> %487, %491
  %494 = bitcast <16 x i32> %493 to <16 x float>
  %495 = fsub <16 x float> %494, %492
  %496 = bitcast <16 x float> %495 to <16 x i32>
  %497 = sub nuw nsw i32 1065353216, %488
  %498 = insertelement <16 x i32> poison, i32 %497, i64 0
  %499 = shufflevector <16 x i32> %498, <16 x i32> poison, <16 x i32> zeroinitializer
  %500 = add <16 x i32> %487, %499
  %501 = shl nuw nsw i32 1, %475
  %502 = insertelement <16 x i32> poison, i32 %501, i64 0
  %503 = shufflevector <16 x i32> %502, <16 x i32> poison, <16 x i32> zeroinitializer
  %504 = icmp samesign ult <16 x i32> %484, %503
  %505 = select <16 x i1> %504, <16 x i32> %496, <16 x i32> %500
  switch i64 %477, label %520 [
    i64 0, label %506
    i64 1, label %517
  ]

506:
  %507 = shl nsw i32 -1, %473
  %508 = xor i32 %507, -1
  %509 = shl i32 %508, %475
  %510 = or <16 x i32> %487, splat (i32 2143289344)
  %511 = insertelement <16 x i32> poison, i32 %509, i64 0
  %512 = shufflevector <16 x i32> %511, <16 x i32> poison, <16 x i32> zeroinitializer
  %513 = icmp ugt <16 x i32> %484, %512
  %514 = icmp eq <16 x i32> %484, %512
  %515 = select <16 x i1> %514, <16 x i32> splat (i32 2139095040), <16 x i32> %505
  %516 = select <16 x i1> %513, <16 x i32> %510, <16 x i32> %515
  br label %520

517:
  %518 = icmp eq <16 x i32> %484, %483
  %519 = select <16 x i1> %518, <16 x i32> splat (i32 2143289344), <16 x i32> %505
  br label %520

520:
  %521 = phi <16 x i32> [ %516, %506 ], [ %519, %517 ], [ %505, %470 ]
  %522 = insertelement <16 x i32> poison, i32 %478, i64 0
  %523 = shufflevector <16 x i32> %522, <16 x i32> poison, <16 x i32> zeroinitializer
  %524 = lshr <16 x i32> %449, %523
  %525 = shl <16 x i32> %524, splat (i32 31)
  %526 = or <16 x i32> %521, %525
  %527 = bitcast <16 x i32> %526 to <16 x float>
  br label %528

528:
  %529 = phi <16 x float> [ %527, %520 ], [ %451, %450 ], [ %454, %452 ], [ %457, %455 ], [ %461, %458 ], [ %463, %462 ]
  %530 = getelementptr inbounds nuw [16 x float], ptr %11, i64 %443
  store <16 x float> %529, ptr %530, align 64
  %531 = add nuw nsw i64 %443, 1
  %532 = icmp eq i64 %531, %33
  br i1 %532, label %615, label %442

533:
  %534 = phi i64 [ 0, %442 ], [ %613, %612 ]
  %535 = trunc nuw nsw i64 %534 to i32
  %536 = add i32 %123, %535
  %537 = udiv i32 %536, %412
  %538 = zext i32 %537 to i64
  %539 = getelementptr inbounds nuw i32, ptr %447, i64 %538
  %540 = load i32, ptr %539, align 4
  %541 = urem i32 %536, %412
  %542 = mul i32 %541, %431
  %543 = add i32 %542, %540
  %544 = getelementptr inbounds nuw i32, ptr %8, i64 %534
  %545 = lshr i32 %543, 3
  %546 = zext nneg i32 %545 to i64
  %547 = getelementptr inbounds nuw i8, ptr %432, i64 %546
  br i1 %434, label %548, label %572

548:
  %549 = and i32 %545, 536870908
  %550 = zext nneg i32 %549 to i64
  %551 = getelementptr inbounds nuw i8, ptr %432, i64 %550
  %552 = and i32 %540, 31
  %553 = load <16 x i32>, ptr %551, align 1
  %554 = insertelement <16 x i32> poison, i32 %552, i64 0
  %555 = shufflevector <16 x i32> %554, <16 x i32> poison, <16 x i32> zeroinitializer
  %556 = lshr <16 x i32> %553, %555
  %557 = add i32 %552, %411
  %558 = icmp ugt i32 %557, 32
  br i1 %558, label %559, label %569

559:
  %560 = load i32, ptr %38, align 4
  %561 = zext i32 %560 to i64
  %562 = getelementptr inbounds nuw i8, ptr %551, i64 %561
  %563 = load <16 x i32>, ptr %562, align 1
  %564 = sub nuw nsw i32 32, %552
  %565 = insertelement <16 x i32> poison, i32 %564, i64 0
  %566 = shufflevector <16 x i32> %565, <16 x i32> poison, <16 x i32> zeroinitializer
  %567 = shl <16 x i32> %563, %566
  %568 = or <16 x i32> %567, %556
  br label %569

569:
  %570 = phi <16 x i32> [ %568, %559 ], [ %556, %548 ]
  %571 = and <16 x i32> %570, %428
  store <16 x i32> %571, ptr %544, align 4
  br label %612

572:
  br i1 %437, label %573, label %576

573:
  %574 = load <16 x i16>, ptr %547, align 1
  %575 = zext <16 x i16> %574 to <16 x i32>
  store <16 x i32> %575, ptr %544, align 4
  br label %612

576:
  br i1 %438, label %577, label %580

577:
  %578 = load <8 x i16>, ptr %547, align 1
  %579 = zext <8 x i16> %578 to <8 x i32>
  store <8 x i32> %579, ptr %544, align 4
  br label %612

580:
  br i1 %441, label %581, label %584

581:
  %582 = load <16 x i8>, ptr %547, align 1
  %583 = zext <16 x i8> %582 to <16 x i32>
  store <16 x i32> %583, ptr %544, align 4
  br label %612

584:
  %585 = phi i64 [ %610, %606 ], [ 0, %580 ]
  %586 = trunc nuw nsw i64 %585 to i32
  %587 = mul i32 %431, %586
  %588 = add i32 %587, %543
  %589 = lshr i32 %588, 3
  %590 = and i32 %589, 536870908
  %591 = zext nneg i32 %590 to i64
  %592 = getelementptr inbounds nuw i8, ptr %432, i64 %591
  %593 = and i32 %588, 31
  %594 = load i32, ptr %592, align 1
  %595 = lshr i32 %594, %593
  %596 = add i32 %593, %411
  %597 = icmp ugt i32 %596, 32
  br i1 %597, label %598, label %606

598:
  %599 = load i32, ptr %38, align 4
  %600 = zext i32 %599 to i64
  %601 = getelementptr inbounds nuw i8, ptr %592, i64 %600
  %602 = load i32, ptr %601, align 1
  %603 = sub nuw nsw i32 32, %593
  %604 = shl i32 %602, %603
  %605 = or disjoint i32 %604, %595
  br label %606

606:
  %607 = phi i32 [ %605, %598 ], [ %595, %584 ]
  %608 = and i32 %607, %422
  %609 = getelementptr inbounds nuw i32, ptr %544, i64 %585
  store i32 %608, ptr %609, align 4
  %610 = add nuw nsw i64 %585, 1
  %611 = icmp eq i64 %610, %423
  br i1 %611, label %612, label %584

612:
  %613 = add nuw nsw i64 %534, %423
  %614 = icmp samesign ult i64 %613, %427
  br i1 %614, label %533, label %448

615:
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  br label %616

616:
  %617 = load i32, ptr %3, align 4
  switch i32 %617, label %859 [
    i32 2, label %618
    i32 3, label %760
  ]

618:
  %619 = lshr exact i32 %123, 4
  %620 = mul i32 %619, %2
  %621 = add i32 %132, -1
  %622 = icmp ult i32 %621, 13
  br i1 %622, label %623, label %627

623:
  %624 = zext nneg i32 %621 to i64
  %625 = getelementptr inbounds nuw i32, ptr @switch.table.pack.2, i64 %624
  %626 = load i32, ptr %625, align 4
  br label %627

627:
  %628 = phi i32 [ %626, %623 ], [ -126, %618 ]
  br i1 %36, label %752, label %629

629:
  %630 = zext nneg i32 %129 to i64
  %631 = insertelement <16 x i32> poison, i32 %628, i64 0
  %632 = shufflevector <16 x i32> %631, <16 x i32> poison, <16 x i32> zeroinitializer
  br label %639

633:
  %634 = tail call i32 @llvm.vector.reduce.or.v16i32(<16 x i32> %745)
  %635 = icmp ne i32 %634, 0
  %636 = zext i1 %635 to i32
  %637 = tail call i32 @llvm.vector.reduce.smin.v16i32(<16 x i32> %742)
  %638 = tail call i32 @llvm.vector.reduce.smax.v16i32(<16 x i32> %739)
  br label %752

639:
  %640 = phi i64 [ 0, %629 ], [ %750, %727 ]
  %641 = phi <16 x i32> [ zeroinitializer, %629 ], [ %742, %727 ]
  %642 = phi <16 x i32> [ splat (i32 -4096), %629 ], [ %739, %727 ]
  %643 = phi <16 x i32> [ zeroinitializer, %629 ], [ %745, %727 ]
  %644 = trunc nuw i64 %640 to i32
  %645 = add i32 %620, %644
  %646 = shl i32 %645, 4
  %647 = getelementptr inbounds nuw [16 x float], ptr %11, i64 %640
  %648 = load <16 x float>, ptr %647, align 64
  %649 = load ptr, ptr %15, align 8
  %650 = icmp eq ptr %649, null
  br i1 %650, label %727, label %651

651:
  %652 = load i32, ptr %42, align 4
  %653 = udiv i32 %2, %652
  %654 = mul i32 %653, %619
  %655 = udiv i32 %644, %652
  %656 = add i32 %654, %655
  %657 = shl i32 %656, 4
  %658 = urem i32 %644, %652
  %659 = icmp eq i32 %658, 0
  br i1 %659, label %664, label %660

660:
  %661 = zext i32 %657 to i64
  %662 = getelementptr inbounds nuw float, ptr %44, i64 %661
  %663 = load <16 x float>, ptr %662, align 4
  br label %723

664:
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  br label %665

665:
  %666 = phi i64 [ 0, %664 ], [ %682, %679 ]
  %667 = icmp samesign ult i64 %666, %630
  br i1 %667, label %668, label %679

668:
  %669 = load i32, ptr %43, align 8
  %670 = trunc nuw nsw i64 %666 to i32
  %671 = add nuw nsw i32 %123, %670
  %672 = mul i32 %671, %653
  %673 = add i32 %672, %655
  %674 = zext i32 %673 to i64
  %675 = getelementptr inbounds nuw i8, ptr %649, i64 %674
  %676 = load i8, ptr %675, align 1
  %677 = zext i8 %676 to i32
  %678 = tail call float @decode(i32 noundef %669, i32 noundef %677)
  br label %679

679:
  %680 = phi float [ %678, %668 ], [ 1.000000e+00, %665 ]
  %681 = getelementptr inbounds nuw float, ptr %7, i64 %666
  store float %680, ptr %681, align 4
  %682 = add nuw nsw i64 %666, 1
  %683 = icmp eq i64 %682, 16
  br i1 %683, label %684, label %665

684:
  %685 = load <16 x float>, ptr %7, align 64
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  %686 = bitcast <16 x float> %685 to <16 x i32>
  %687 = lshr <16 x i32> %686, splat (i32 23)
  %688 = and <16 x i32> %687, splat (i32 255)
  %689 = load i32, ptr %43, align 8
  switch i32 %689, label %697 [
    i32 10, label %690
    i32 1, label %698
    i32 7, label %695
    i32 3, label %694
    i32 13, label %694
    i32 4, label %698
    i32 5, label %695
    i32 6, label %696
  ]

690:
  %691 = add nsw <16 x i32> %688, splat (i32 -127)
  %692 = icmp eq <16 x i32> %688, splat (i32 255)
  %693 = select <16 x i1> %692, <16 x float> %685, <16 x float> splat (float 1.000000e+00)
  br label %714

694:
  br label %698

695:
  br label %698

696:
  br label %698

697:
  br label %698

698:
  %699 = phi i32 [ -126, %697 ], [ -14, %684 ], [ -14, %684 ], [ -6, %694 ], [ -2, %696 ], [ 0, %695 ]
  %700 = add nsw <16 x i32> %688, splat (i32 -127)
  %701 = insertelement <16 x i32> poison, i32 %699, i64 0
  %702 = shufflevector <16 x i32> %701, <16 x i32> poison, <16 x i32> zeroinitializer
  %703 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %700, <16 x i32> %702)
  %704 = icmp eq <16 x i32> %688, splat (i32 255)
  %705 = select <16 x i1> %704, <16 x i32> zeroinitializer, <16 x i32> %703
  %706 = fcmp oeq <16 x float> %685, zeroinitializer
  %707 = select <16 x i1> %706, <16 x i32> splat (i32 -4096), <16 x i32> %705
  %708 = sub nsw <16 x i32> splat (i32 127), %707
  %709 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %708, <16 x i32> zeroinitializer)
  %710 = shl <16 x i32> %709, splat (i32 23)
  %711 = bitcast <16 x i32> %710 to <16 x float>
  %712 = fmul <16 x float> %685, %711
  %713 = select <16 x i1> %704, <16 x float> %685, <16 x float> %712
  br label %714

714:
  %715 = phi <16 x i32> [ %691, %690 ], [ %707, %698 ]
  %716 = phi <16 x float> [ %693, %690 ], [ %713, %698 ]
  %717 = zext i32 %657 to i64
  %718 = getelementptr inbounds nuw float, ptr %44, i64 %717
  store <16 x float> %716, ptr %718, align 4
  %719 = getelementptr inbounds nuw i32, ptr %45, i64 %717
  store <16 x i32> %715, ptr %719, align 4
  %720 = tail call <16 x float> @llvm.fabs.v16f32(<16 x float> %716)
  %721 = fcmp ueq <16 x float> %720, splat (float 0x7FF0000000000000)
  %722 = select <16 x i1> %721, <16 x i32> splat (i32 -1), <16 x i32> %643
  br label %723

723:
  %724 = phi <16 x float> [ %716, %714 ], [ %663, %660 ]
  %725 = phi <16 x i32> [ %722, %714 ], [ %643, %660 ]
  %726 = fmul <16 x float> %648, %724
  br label %727

727:
  %728 = phi <16 x float> [ %726, %723 ], [ %648, %639 ]
  %729 = phi <16 x i32> [ %725, %723 ], [ %643, %639 ]
  %730 = bitcast <16 x float> %728 to <16 x i32>
  %731 = lshr <16 x i32> %730, splat (i32 23)
  %732 = and <16 x i32> %731, splat (i32 255)
  %733 = add nsw <16 x i32> %732, splat (i32 -127)
  %734 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %733, <16 x i32> %632)
  %735 = icmp eq <16 x i32> %732, splat (i32 255)
  %736 = select <16 x i1> %735, <16 x i32> zeroinitializer, <16 x i32> %734
  %737 = fcmp oeq <16 x float> %728, zeroinitializer
  %738 = select <16 x i1> %737, <16 x i32> splat (i32 -4096), <16 x i32> %736
  %739 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %642, <16 x i32> %738)
  %740 = icmp eq <16 x i32> %738, splat (i32 -4096)
  %741 = select <16 x i1> %740, <16 x i32> zeroinitializer, <16 x i32> %738
  %742 = tail call <16 x i32> @llvm.smin.v16i32(<16 x i32> %641, <16 x i32> %741)
  %743 = and <16 x i32> %730, splat (i32 2139095040)
  %744 = icmp eq <16 x i32> %743, splat (i32 2139095040)
  %745 = select <16 x i1> %744, <16 x i32> splat (i32 -1), <16 x i32> %729
  %746 = zext i32 %646 to i64
  %747 = getelementptr inbounds nuw float, ptr %47, i64 %746
  store <16 x float> %728, ptr %747, align 4
  %748 = trunc <16 x i32> %738 to <16 x i16>
  %749 = getelementptr inbounds nuw i16, ptr %48, i64 %746
  store <16 x i16> %748, ptr %749, align 2
  %750 = add nuw nsw i64 %640, 1
  %751 = icmp eq i64 %750, %33
  br i1 %751, label %633, label %639

752:
  %753 = phi i32 [ 0, %627 ], [ %636, %633 ]
  %754 = phi i32 [ -4096, %627 ], [ %638, %633 ]
  %755 = phi i32 [ 0, %627 ], [ %637, %633 ]
  %756 = zext nneg i32 %619 to i64
  %757 = getelementptr inbounds nuw i32, ptr %49, i64 %756
  store i32 %753, ptr %757, align 4
  %758 = getelementptr inbounds nuw i32, ptr %50, i64 %756
  store i32 %755, ptr %758, align 4
  %759 = getelementptr inbounds nuw i32, ptr %51, i64 %756
  store i32 %754, ptr %759, align 4
  br label %940

760:
  br i1 %40, label %940, label %761

761:
  %762 = lshr exact i32 %123, 4
  %763 = mul i32 %762, %39
  %764 = zext nneg i32 %129 to i64
  %765 = getelementptr i8, ptr %47, i64 %126
  br label %766

766:
  %767 = phi i64 [ 0, %761 ], [ %806, %836 ]
  %768 = phi i64 [ 16, %761 ], [ %842, %836 ]
  %769 = phi i64 [ 0, %761 ], [ %841, %836 ]
  %770 = shl i64 %769, 6
  %771 = and i64 %770, 17179868160
  %772 = getelementptr i8, ptr %765, i64 %771
  %773 = shl nuw nsw i64 %767, 10
  %774 = getelementptr nuw i8, ptr %11, i64 %773
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 4 dereferenceable(1024) %772, ptr noundef nonnull align 64 dereferenceable(1024) %774, i64 1024, i1 false)
  br label %844

775:
  %776 = trunc nuw nsw i64 %767 to i32
  %777 = add i32 %763, %776
  %778 = shl i32 %777, 4
  %779 = zext i32 %778 to i64
  %780 = getelementptr inbounds nuw i32, ptr %41, i64 %779
  store <16 x i32> %856, ptr %780, align 4
  %781 = load i32, ptr %42, align 4
  %782 = shl i32 %776, 4
  %783 = udiv i32 %782, %781
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  %784 = udiv i32 %2, %781
  br label %785

785:
  %786 = phi i64 [ 0, %775 ], [ %803, %800 ]
  %787 = icmp samesign ult i64 %786, %764
  br i1 %787, label %788, label %800

788:
  %789 = load i32, ptr %43, align 8
  %790 = load ptr, ptr %15, align 8
  %791 = trunc nuw nsw i64 %786 to i32
  %792 = add nuw nsw i32 %123, %791
  %793 = mul i32 %792, %784
  %794 = add i32 %793, %783
  %795 = zext i32 %794 to i64
  %796 = getelementptr inbounds nuw i8, ptr %790, i64 %795
  %797 = load i8, ptr %796, align 1
  %798 = zext i8 %797 to i32
  %799 = tail call float @decode(i32 noundef %789, i32 noundef %798)
  br label %800

800:
  %801 = phi float [ %799, %788 ], [ 1.000000e+00, %785 ]
  %802 = getelementptr inbounds nuw float, ptr %6, i64 %786
  store float %801, ptr %802, align 4
  %803 = add nuw nsw i64 %786, 1
  %804 = icmp eq i64 %803, 16
  br i1 %804, label %805, label %785

805:
  %806 = add nuw nsw i64 %767, 1
  %807 = load <16 x float>, ptr %6, align 64
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  %808 = bitcast <16 x float> %807 to <16 x i32>
  %809 = lshr <16 x i32> %808, splat (i32 23)
  %810 = and <16 x i32> %809, splat (i32 255)
  %811 = load i32, ptr %43, align 8
  switch i32 %811, label %819 [
    i32 10, label %812
    i32 1, label %820
    i32 7, label %817
    i32 3, label %816
    i32 13, label %816
    i32 4, label %820
    i32 5, label %817
    i32 6, label %818
  ]

812:
  %813 = add nsw <16 x i32> %810, splat (i32 -127)
  %814 = icmp eq <16 x i32> %810, splat (i32 255)
  %815 = select <16 x i1> %814, <16 x float> %807, <16 x float> splat (float 1.000000e+00)
  br label %836

816:
  br label %820

817:
  br label %820

818:
  br label %820

819:
  br label %820

820:
  %821 = phi i32 [ -126, %819 ], [ -14, %805 ], [ -14, %805 ], [ -6, %816 ], [ -2, %818 ], [ 0, %817 ]
  %822 = add nsw <16 x i32> %810, splat (i32 -127)
  %823 = insertelement <16 x i32> poison, i32 %821, i64 0
  %824 = shufflevector <16 x i32> %823, <16 x i32> poison, <16 x i32> zeroinitializer
  %825 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %822, <16 x i32> %824)
  %826 = icmp eq <16 x i32> %810, splat (i32 255)
  %827 = select <16 x i1> %826, <16 x i32> zeroinitializer, <16 x i32> %825
  %828 = fcmp oeq <16 x float> %807, zeroinitializer
  %829 = select <16 x i1> %828, <16 x i32> splat (i32 -4096), <16 x i32> %827
  %830 = sub nsw <16 x i32> splat (i32 127), %829
  %831 = tail call <16 x i32> @llvm.smax.v16i32(<16 x i32> %830, <16 x i32> zeroinitializer)
  %832 = shl <16 x i32> %831, splat (i32 23)
  %833 = bitcast <16 x i32> %832 to <16 x float>
  %834 = fmul <16 x float> %807, %833
  %835 = select <16 x i1> %826, <16 x float> %807, <16 x float> %834
  br label %836

836:
  %837 = phi <16 x i32> [ %813, %812 ], [ %829, %820 ]
  %838 = phi <16 x float> [ %815, %812 ], [ %835, %820 ]
  %839 = getelementptr inbounds nuw float, ptr %44, i64 %779
  store <16 x float> %838, ptr %839, align 4
  %840 = getelementptr inbounds nuw i32, ptr %45, i64 %779
  store <16 x i32> %837, ptr %840, align 4
  %841 = add nuw nsw i64 %769, 16
  %842 = add nuw nsw i64 %768, 16
  %843 = icmp eq i64 %806, %46
  br i1 %843, label %940, label %766

844:
  %845 = phi i64 [ %769, %766 ], [ %857, %844 ]
  %846 = phi <16 x i32> [ zeroinitializer, %766 ], [ %856, %844 ]
  %847 = getelementptr inbounds nuw [16 x float], ptr %11, i64 %845
  %848 = load <16 x float>, ptr %847, align 64
  %849 = fcmp une <16 x float> %848, zeroinitializer
  %850 = trunc i64 %845 to i32
  %851 = and i32 %850, 15
  %852 = shl nuw nsw i32 1, %851
  %853 = insertelement <16 x i32> poison, i32 %852, i64 0
  %854 = shufflevector <16 x i32> %853, <16 x i32> poison, <16 x i32> zeroinitializer
  %855 = select <16 x i1> %849, <16 x i32> %854, <16 x i32> zeroinitializer
  %856 = or <16 x i32> %855, %846
  %857 = add nuw nsw i64 %845, 1
  %858 = icmp eq i64 %857, %768
  br i1 %858, label %775, label %844

859:
  %860 = lshr exact i32 %123, 4
  %861 = mul i32 %860, %2
  br i1 %36, label %936, label %862

862:
  %863 = icmp eq i32 %617, 1
  %864 = zext nneg i32 %129 to i64
  br label %869

865:
  %866 = tail call i32 @llvm.vector.reduce.or.v16i32(<16 x i32> %932)
  %867 = icmp ne i32 %866, 0
  %868 = zext i1 %867 to i32
  br label %936

869:
  %870 = phi i64 [ 0, %862 ], [ %934, %931 ]
  %871 = phi <16 x double> [ splat (double 1.000000e+00), %862 ], [ %933, %931 ]
  %872 = phi <16 x i32> [ zeroinitializer, %862 ], [ %932, %931 ]
  %873 = getelementptr inbounds nuw [16 x float], ptr %11, i64 %870
  %874 = load <16 x float>, ptr %873, align 64
  %875 = trunc nuw i64 %870 to i32
  %876 = add i32 %861, %875
  %877 = shl i32 %876, 4
  br i1 %863, label %878, label %882

878:
  %879 = fptosi <16 x float> %874 to <16 x i32>
  %880 = zext i32 %877 to i64
  %881 = getelementptr inbounds nuw i32, ptr %52, i64 %880
  store <16 x i32> %879, ptr %881, align 4
  br label %931

882:
  %883 = fpext <16 x float> %874 to <16 x double>
  %884 = tail call <16 x float> @llvm.fabs.v16f32(<16 x float> %874)
  %885 = fcmp ueq <16 x float> %884, splat (float 0x7FF0000000000000)
  %886 = select <16 x i1> %885, <16 x i32> splat (i32 -1), <16 x i32> %872
  %887 = load ptr, ptr %15, align 8
  %888 = icmp eq ptr %887, null
  br i1 %888, label %925, label %889

889:
  %890 = load i32, ptr %42, align 4
  %891 = urem i32 %875, %890
  %892 = udiv i32 %875, %890
  %893 = icmp eq i32 %891, 0
  br i1 %893, label %894, label %921

894:
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  %895 = udiv i32 %2, %890
  br label %896

896:
  %897 = phi i64 [ 0, %894 ], [ %913, %910 ]
  %898 = icmp samesign ult i64 %897, %864
  br i1 %898, label %899, label %910

899:
  %900 = load i32, ptr %43, align 8
  %901 = trunc nuw nsw i64 %897 to i32
  %902 = add nuw nsw i32 %123, %901
  %903 = mul i32 %902, %895
  %904 = add i32 %903, %892
  %905 = zext i32 %904 to i64
  %906 = getelementptr inbounds nuw i8, ptr %887, i64 %905
  %907 = load i8, ptr %906, align 1
  %908 = zext i8 %907 to i32
  %909 = tail call float @decode(i32 noundef %900, i32 noundef %908)
  br label %910

910:
  %911 = phi float [ %909, %899 ], [ 1.000000e+00, %896 ]
  %912 = getelementptr inbounds nuw float, ptr %5, i64 %897
  store float %911, ptr %912, align 4
  %913 = add nuw nsw i64 %897, 1
  %914 = icmp eq i64 %913, 16
  br i1 %914, label %915, label %896

915:
  %916 = load <16 x float>, ptr %5, align 64
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  %917 = tail call <16 x float> @llvm.fabs.v16f32(<16 x float> %916)
  %918 = fcmp ueq <16 x float> %917, splat (float 0x7FF0000000000000)
  %919 = select <16 x i1> %918, <16 x i32> splat (i32 -1), <16 x i32> %886
  %920 = fpext <16 x float> %916 to <16 x double>
  br label %921

921:
  %922 = phi <16 x i32> [ %919, %915 ], [ %886, %889 ]
  %923 = phi <16 x double> [ %920, %915 ], [ %871, %889 ]
  %924 = fmul <16 x double> %923, %883
  br label %925

925:
  %926 = phi <16 x double> [ %924, %921 ], [ %883, %882 ]
  %927 = phi <16 x i32> [ %922, %921 ], [ %886, %882 ]
  %928 = phi <16 x double> [ %923, %921 ], [ %871, %882 ]
  %929 = zext i32 %877 to i64
  %930 = getelementptr inbounds nuw double, ptr %53, i64 %929
  store <16 x double> %926, ptr %930, align 8
  br label %931

931:
  %932 = phi <16 x i32> [ %872, %878 ], [ %927, %925 ]
  %933 = phi <16 x double> [ %871, %878 ], [ %928, %925 ]
  %934 = add nuw nsw i64 %870, 1
  %935 = icmp eq i64 %934, %33
  br i1 %935, label %865, label %869

936:
  %937 = phi i32 [ 0, %859 ], [ %868, %865 ]
  %938 = zext nneg i32 %860 to i64
  %939 = getelementptr inbounds nuw i32, ptr %49, i64 %938
  store i32 %937, ptr %939, align 4
  br label %940

940:
  %941 = add i32 %123, 16
  %942 = load i32, ptr %12, align 8
  %943 = icmp ult i32 %941, %942
  %944 = add i32 %121, 1
  br i1 %943, label %120, label %945

945:
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  ret void
}

define range(i32 0, 2) i32 @lm_multiply(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef readonly captures(none) %3, ptr noundef readonly captures(none) %4) local_unnamed_addr {
  %6 = alloca %struct.Panel, align 64
  %7 = alloca %struct.Panel, align 64
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %9 = load i32, ptr %8, align 8
  %10 = add i32 %9, 15
  %11 = and i32 %10, -16
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %13 = load i32, ptr %12, align 8
  %14 = add i32 %13, 15
  %15 = and i32 %14, -16
  %16 = icmp ugt i32 %2, 128
  %17 = and i32 %9, 1
  %18 = icmp ne i32 %17, 0
  %19 = select i1 %16, i1 true, i1 %18
  %20 = mul i32 %11, %2
  %21 = icmp ugt i32 %20, 16384
  %22 = select i1 %19, i1 true, i1 %21
  %23 = mul i32 %15, %2
  %24 = icmp ugt i32 %23, 16384
  %25 = select i1 %22, i1 true, i1 %24
  br i1 %25, label %41, label %26

26:
  %27 = load i32, ptr %3, align 4
  %28 = icmp eq i32 %27, 3
  br i1 %28, label %29, label %40

29:
  %30 = and i32 %2, 15
  %31 = icmp eq i32 %30, 0
  br i1 %31, label %32, label %41

32:
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %34 = load ptr, ptr %33, align 8
  %35 = icmp eq ptr %34, null
  br i1 %35, label %41, label %36

36:
  %37 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %38 = load ptr, ptr %37, align 8
  %39 = icmp eq ptr %38, null
  br i1 %39, label %41, label %40

40:
  call void @pack(ptr noundef nonnull %6, ptr noundef nonnull %0, i32 noundef %2, ptr noundef nonnull %3)
  call void @pack(ptr noundef nonnull %7, ptr noundef nonnull %1, i32 noundef %2, ptr noundef nonnull %3)
  call void @multiply(ptr noundef nonnull %6, ptr noundef nonnull %7, ptr noundef nonnull %3, ptr noundef %4)
  br label %41

41:
  %42 = phi i32 [ 1, %40 ], [ 0, %5 ], [ 0, %36 ], [ 0, %32 ], [ 0, %29 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  ret i32 %42
}

define ptr @mbarrier_gathering(ptr noundef readonly captures(none) %0, ptr noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 912
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = ptrtoint ptr %1 to i64
  %10 = ptrtoint ptr %8 to i64
  %11 = sub i64 %9, %10
  %12 = ashr exact i64 %11, 4
  %13 = load ptr, ptr %0, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 112
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %17 = load i32, ptr %16, align 8
  %18 = zext i32 %17 to i64
  %19 = mul i64 %15, %18
  %20 = add i64 %19, 3
  %21 = mul i64 %20, %12
  %22 = getelementptr inbounds nuw i64, ptr %6, i64 %21
  ret ptr %22
}

define ptr @mbarrier_gathered(ptr noundef readonly captures(none) %0, ptr noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 912
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = ptrtoint ptr %1 to i64
  %10 = ptrtoint ptr %8 to i64
  %11 = sub i64 %9, %10
  %12 = ashr exact i64 %11, 4
  %13 = load ptr, ptr %0, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 112
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %17 = load i32, ptr %16, align 8
  %18 = zext i32 %17 to i64
  %19 = mul i64 %15, %18
  %20 = add i64 %19, 3
  %21 = mul i64 %20, %12
  %22 = getelementptr inbounds nuw i64, ptr %6, i64 %21
  %23 = getelementptr inbounds nuw i64, ptr %22, i64 %20
  ret ptr %23
}

define ptr @mbarrier_find(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i64 noundef %4, ptr noundef writeonly captures(none) %5) local_unnamed_addr {
  %7 = alloca %struct.Access, align 8
  %8 = alloca %struct.Access, align 8
  %9 = alloca i64, align 8
  %10 = alloca %struct.Access, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %14 = load i32, ptr %13, align 4
  %15 = zext i32 %14 to i64
  %16 = shl nuw nsw i64 %15, 28
  %17 = load ptr, ptr %0, align 8
  %18 = load i64, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 88
  %22 = load i64, ptr %21, align 8
  %23 = sub i64 %18, %22
  %24 = shl i64 %23, 37
  %25 = or i64 %12, %16
  %26 = or i64 %25, %24
  %27 = or i64 %26, 288230376151711744
  %28 = getelementptr inbounds nuw i8, ptr %20, i64 528
  %29 = load ptr, ptr %28, align 8
  %30 = icmp eq ptr %29, null
  br i1 %30, label %46, label %31

31:
  %32 = getelementptr inbounds nuw i8, ptr %29, i64 16
  %33 = load ptr, ptr %32, align 8
  %34 = load i64, ptr %29, align 8
  %35 = getelementptr inbounds nuw i8, ptr %29, i64 8
  %36 = load i64, ptr %35, align 8
  %37 = urem i64 %34, %36
  %38 = getelementptr inbounds nuw i64, ptr %33, i64 %37
  store i64 %27, ptr %38, align 8
  %39 = getelementptr inbounds nuw i8, ptr %29, i64 24
  %40 = load ptr, ptr %39, align 8
  %41 = load i64, ptr %29, align 8
  %42 = add i64 %41, 1
  store i64 %42, ptr %29, align 8
  %43 = load i64, ptr %35, align 8
  %44 = urem i64 %41, %43
  %45 = getelementptr inbounds nuw i32, ptr %40, i64 %44
  store i32 %1, ptr %45, align 4
  br label %46

46:
  store ptr %0, ptr %10, align 8
  %47 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store i32 %1, ptr %47, align 8
  %48 = getelementptr inbounds nuw i8, ptr %10, i64 12
  store i32 %3, ptr %48, align 4
  %49 = getelementptr inbounds nuw i8, ptr %10, i64 16
  store i32 33, ptr %49, align 8
  %50 = getelementptr inbounds nuw i8, ptr %10, i64 20
  store i32 1, ptr %50, align 4
  %51 = getelementptr inbounds nuw i8, ptr %10, i64 24
  store i64 0, ptr %51, align 8
  %52 = getelementptr inbounds nuw i8, ptr %10, i64 32
  store i64 %27, ptr %52, align 8
  %53 = getelementptr inbounds nuw i8, ptr %10, i64 40
  store ptr null, ptr %53, align 8
  %54 = call ptr @memory_at(ptr noundef nonnull %0, i32 noundef %3, i64 noundef %4, i64 noundef 8, ptr noundef nonnull %9)
  %55 = icmp eq ptr %54, null
  br i1 %55, label %60, label %56

56:
  %57 = getelementptr inbounds nuw i8, ptr %54, i64 84
  %58 = load i32, ptr %57, align 4
  %59 = icmp eq i32 %58, 1
  br i1 %59, label %62, label %60

60:
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %7, ptr noundef nonnull readonly align 8 dereferenceable(48) %10, i64 48, i1 false)
  %61 = getelementptr inbounds nuw i8, ptr %7, i64 12
  store i32 1, ptr %61, align 4
  call void @out_of_bounds(ptr noundef nonnull %7, i32 noundef %2, i64 noundef %4, i64 noundef 8)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  br label %90

62:
  %63 = load i64, ptr %9, align 8
  %64 = and i64 %63, 7
  %65 = icmp eq i64 %64, 0
  br i1 %65, label %68, label %66

66:
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %8, ptr noundef nonnull readonly align 8 dereferenceable(48) %10, i64 48, i1 false)
  %67 = getelementptr inbounds nuw i8, ptr %8, i64 12
  store i32 1, ptr %67, align 4
  call void @misaligned(ptr noundef nonnull %8, i32 noundef %2, i64 noundef %4, i64 noundef 8)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  br label %90

68:
  %69 = getelementptr inbounds nuw i8, ptr %54, i64 72
  %70 = load ptr, ptr %69, align 8
  store ptr %70, ptr %5, align 8
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 912
  %72 = load ptr, ptr %71, align 8
  %73 = load ptr, ptr %72, align 8
  %74 = lshr exact i64 %63, 2
  %75 = getelementptr inbounds nuw i8, ptr %73, i64 %74
  %76 = load i16, ptr %75, align 2
  %77 = icmp eq i16 %76, 0
  br i1 %77, label %78, label %81

78:
  %79 = zext nneg i32 %2 to i64
  %80 = shl nuw i64 1, %79
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %80, i32 noundef 30, i64 noundef %4, i64 noundef 0, i64 noundef 0)
  br label %90

81:
  call void @order_only(ptr noundef nonnull %10, i32 noundef %2, ptr noundef nonnull %54, i64 noundef %63, i64 noundef 8)
  %82 = load ptr, ptr %69, align 8
  %83 = getelementptr inbounds nuw i8, ptr %82, i64 912
  %84 = load ptr, ptr %83, align 8
  %85 = getelementptr inbounds nuw i8, ptr %84, i64 8
  %86 = load ptr, ptr %85, align 8
  %87 = zext i16 %76 to i64
  %88 = getelementptr %struct.Mbarrier, ptr %86, i64 %87
  %89 = getelementptr i8, ptr %88, i64 -32
  br label %90

90:
  %91 = phi ptr [ null, %78 ], [ %89, %81 ], [ null, %60 ], [ null, %66 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  ret ptr %91
}

define void @tensor_rule(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i64 noundef %4, i64 noundef %5, i64 noundef %6) local_unnamed_addr {
  %8 = tail call ptr @lm_hazard(ptr noundef %0, i32 noundef 6, i32 noundef %1, i64 noundef %2)
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 12
  store i32 %3, ptr %9, align 4
  %10 = getelementptr inbounds nuw i8, ptr %8, i64 48
  store i64 %4, ptr %10, align 8
  %11 = getelementptr inbounds nuw i8, ptr %8, i64 56
  store i64 %5, ptr %11, align 8
  %12 = getelementptr inbounds nuw i8, ptr %8, i64 64
  store i64 %6, ptr %12, align 8
  ret void
}

define range(i32 0, 2) i32 @mbarrier_give_up(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %104, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = zext i32 %5 to i64
  br label %13

11:
  %12 = icmp eq i32 %27, 0
  br i1 %12, label %104, label %30

13:
  %14 = phi i64 [ 0, %7 ], [ %28, %26 ]
  %15 = phi i32 [ 0, %7 ], [ %27, %26 ]
  %16 = getelementptr inbounds nuw ptr, ptr %9, i64 %14
  %17 = load ptr, ptr %16, align 8
  %18 = getelementptr inbounds nuw i8, ptr %17, i64 164
  %19 = load i32, ptr %18, align 4
  %20 = icmp eq i32 %19, 2
  br i1 %20, label %21, label %26

21:
  %22 = getelementptr inbounds nuw i8, ptr %17, i64 196
  %23 = load i32, ptr %22, align 4
  %24 = icmp eq i32 %23, 17
  %25 = select i1 %24, i32 1, i32 %15
  br label %26

26:
  %27 = phi i32 [ %15, %13 ], [ %25, %21 ]
  %28 = add nuw nsw i64 %14, 1
  %29 = icmp eq i64 %28, %10
  br i1 %29, label %11, label %13

30:
  %31 = load i64, ptr %2, align 8
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %33 = load ptr, ptr %32, align 8
  %34 = getelementptr inbounds nuw i8, ptr %33, i64 152
  %35 = load i64, ptr %34, align 8
  %36 = icmp eq i64 %31, %35
  br i1 %36, label %39, label %37

37:
  store i64 1, ptr %3, align 8
  %38 = load i64, ptr %34, align 8
  store i64 %38, ptr %2, align 8
  br label %45

39:
  %40 = load i64, ptr %3, align 8
  %41 = add i64 %40, 1
  store i64 %41, ptr %3, align 8
  %42 = load i64, ptr %34, align 8
  store i64 %42, ptr %2, align 8
  %43 = icmp ult i64 %41, 65
  %44 = zext i1 %43 to i32
  br i1 %43, label %45, label %104

45:
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %47

47:
  %48 = phi i32 [ %5, %45 ], [ %100, %99 ]
  %49 = phi i64 [ 0, %45 ], [ %101, %99 ]
  %50 = load ptr, ptr %46, align 8
  %51 = getelementptr inbounds nuw ptr, ptr %50, i64 %49
  %52 = load ptr, ptr %51, align 8
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 1528
  %54 = load i32, ptr %53, align 8
  %55 = icmp eq i32 %54, 0
  br i1 %55, label %56, label %61

56:
  store i32 1, ptr %53, align 8
  %57 = getelementptr inbounds nuw i8, ptr %52, i64 32
  %58 = load i64, ptr %57, align 8
  %59 = trunc i64 %58 to i32
  %60 = getelementptr inbounds nuw i8, ptr %52, i64 1532
  store i32 %59, ptr %60, align 4
  br label %61

61:
  %62 = getelementptr inbounds nuw i8, ptr %52, i64 1560
  br label %65

63:
  %64 = icmp eq i32 %77, 0
  br i1 %64, label %99, label %80

65:
  %66 = phi i64 [ 0, %61 ], [ %78, %76 ]
  %67 = phi i32 [ 0, %61 ], [ %77, %76 ]
  %68 = getelementptr inbounds nuw %struct.Lanes, ptr %62, i64 %66
  %69 = getelementptr inbounds nuw i8, ptr %68, i64 8
  %70 = load i32, ptr %69, align 8
  %71 = icmp eq i32 %70, 4
  br i1 %71, label %72, label %76

72:
  store i32 1, ptr %69, align 8
  %73 = getelementptr inbounds nuw i8, ptr %68, i64 4
  %74 = load i32, ptr %73, align 4
  %75 = or i32 %74, %67
  br label %76

76:
  %77 = phi i32 [ %75, %72 ], [ %67, %65 ]
  %78 = add nuw nsw i64 %66, 1
  %79 = icmp eq i64 %78, 32
  br i1 %79, label %63, label %65

80:
  %81 = getelementptr inbounds nuw i8, ptr %52, i64 2088
  %82 = load i32, ptr %81, align 8
  %83 = or i32 %82, %77
  store i32 %83, ptr %81, align 8
  %84 = getelementptr inbounds nuw i8, ptr %52, i64 1556
  store i32 0, ptr %84, align 4
  %85 = getelementptr inbounds nuw i8, ptr %52, i64 164
  %86 = load i32, ptr %85, align 4
  %87 = icmp eq i32 %86, 2
  br i1 %87, label %88, label %99

88:
  %89 = getelementptr inbounds nuw i8, ptr %52, i64 244
  %90 = load i32, ptr %89, align 4
  %91 = icmp eq i32 %90, 0
  br i1 %91, label %99, label %92

92:
  %93 = getelementptr inbounds nuw i8, ptr %52, i64 196
  %94 = load i32, ptr %93, align 4
  %95 = icmp eq i32 %94, 17
  br i1 %95, label %96, label %99

96:
  store i32 0, ptr %85, align 4
  store i32 0, ptr %89, align 4
  %97 = tail call i32 @choose(ptr noundef nonnull %52, ptr noundef nonnull %53)
  %98 = load i32, ptr %4, align 8
  br label %99

99:
  %100 = phi i32 [ %48, %80 ], [ %48, %88 ], [ %48, %92 ], [ %48, %63 ], [ %98, %96 ]
  %101 = add nuw nsw i64 %49, 1
  %102 = zext i32 %100 to i64
  %103 = icmp samesign ult i64 %101, %102
  br i1 %103, label %47, label %104

104:
  %105 = phi i32 [ 0, %11 ], [ %44, %39 ], [ 0, %1 ], [ 1, %99 ]
  ret i32 %105
}

define void @mbarrier_arrive(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, ptr noundef readonly captures(none) %3, ptr noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 20
  %8 = load i32, ptr %7, align 4
  %9 = icmp ugt i32 %5, %8
  br i1 %9, label %10, label %17

10:
  %11 = zext nneg i32 %2 to i64
  %12 = shl nuw i64 1, %11
  %13 = zext i32 %5 to i64
  %14 = zext i32 %8 to i64
  %15 = load i64, ptr %4, align 8
  tail call void @tensor_rule(ptr noundef %0, i32 noundef %1, i64 noundef %12, i32 noundef 35, i64 noundef %13, i64 noundef %14, i64 noundef %15)
  %16 = load i32, ptr %7, align 4
  br label %17

17:
  %18 = phi i32 [ %16, %10 ], [ %8, %6 ]
  %19 = phi i32 [ %16, %10 ], [ %5, %6 ]
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 152
  %23 = load i64, ptr %22, align 8
  %24 = add i64 %23, 1
  store i64 %24, ptr %22, align 8
  %25 = sub i32 %18, %19
  store i32 %25, ptr %7, align 4
  tail call fastcc void @complete_phase(ptr noundef %3, ptr noundef nonnull %4)
  ret void
}

define internal fastcc void @complete_phase(ptr noundef readonly captures(none) %0, ptr noundef %1) unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %1, i64 20
  %4 = load i32, ptr %3, align 4
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %6, label %106

6:
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %8 = load i64, ptr %7, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %10, label %106

10:
  %11 = load i64, ptr %1, align 8
  %12 = add i64 %11, 1
  store i64 %12, ptr %1, align 8
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %14 = load i32, ptr %13, align 8
  store i32 %14, ptr %3, align 4
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 912
  %16 = load ptr, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %20 = load ptr, ptr %19, align 8
  %21 = ptrtoint ptr %1 to i64
  %22 = ptrtoint ptr %20 to i64
  %23 = sub i64 %21, %22
  %24 = ashr exact i64 %23, 4
  %25 = load ptr, ptr %0, align 8
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 112
  %27 = load i64, ptr %26, align 8
  %28 = getelementptr inbounds nuw i8, ptr %25, i64 8
  %29 = load i32, ptr %28, align 8
  %30 = zext i32 %29 to i64
  %31 = mul i64 %27, %30
  %32 = add i64 %31, 3
  %33 = mul i64 %32, %24
  %34 = getelementptr inbounds nuw i64, ptr %18, i64 %33
  %35 = getelementptr inbounds nuw i64, ptr %34, i64 %32
  %36 = icmp eq i64 %32, 0
  br i1 %36, label %48, label %37

37:
  %38 = phi i64 [ %46, %45 ], [ 0, %10 ]
  %39 = getelementptr inbounds nuw i64, ptr %34, i64 %38
  %40 = load i64, ptr %39, align 8
  %41 = getelementptr inbounds nuw i64, ptr %35, i64 %38
  %42 = load i64, ptr %41, align 8
  %43 = icmp ugt i64 %40, %42
  br i1 %43, label %44, label %45

44:
  store i64 %40, ptr %41, align 8
  br label %45

45:
  %46 = add nuw i64 %38, 1
  %47 = icmp eq i64 %46, %32
  br i1 %47, label %48, label %37

48:
  %49 = icmp eq i32 %29, 0
  br i1 %49, label %106, label %50

50:
  %51 = getelementptr inbounds nuw i8, ptr %25, i64 16
  br label %52

52:
  %53 = phi i32 [ %29, %50 ], [ %102, %101 ]
  %54 = phi i64 [ 0, %50 ], [ %103, %101 ]
  %55 = load ptr, ptr %51, align 8
  %56 = getelementptr inbounds nuw ptr, ptr %55, i64 %54
  %57 = load ptr, ptr %56, align 8
  %58 = getelementptr inbounds nuw i8, ptr %57, i64 1528
  %59 = load i32, ptr %58, align 8
  %60 = icmp eq i32 %59, 0
  br i1 %60, label %61, label %66

61:
  store i32 1, ptr %58, align 8
  %62 = getelementptr inbounds nuw i8, ptr %57, i64 32
  %63 = load i64, ptr %62, align 8
  %64 = trunc i64 %63 to i32
  %65 = getelementptr inbounds nuw i8, ptr %57, i64 1532
  store i32 %64, ptr %65, align 4
  br label %66

66:
  %67 = getelementptr inbounds nuw i8, ptr %57, i64 1560
  br label %70

68:
  %69 = icmp eq i32 %82, 0
  br i1 %69, label %101, label %85

70:
  %71 = phi i64 [ 0, %66 ], [ %83, %81 ]
  %72 = phi i32 [ 0, %66 ], [ %82, %81 ]
  %73 = getelementptr inbounds nuw %struct.Lanes, ptr %67, i64 %71
  %74 = getelementptr inbounds nuw i8, ptr %73, i64 8
  %75 = load i32, ptr %74, align 8
  %76 = icmp eq i32 %75, 4
  br i1 %76, label %77, label %81

77:
  store i32 1, ptr %74, align 8
  %78 = getelementptr inbounds nuw i8, ptr %73, i64 4
  %79 = load i32, ptr %78, align 4
  %80 = or i32 %79, %72
  br label %81

81:
  %82 = phi i32 [ %80, %77 ], [ %72, %70 ]
  %83 = add nuw nsw i64 %71, 1
  %84 = icmp eq i64 %83, 32
  br i1 %84, label %68, label %70

85:
  %86 = getelementptr inbounds nuw i8, ptr %57, i64 1556
  store i32 0, ptr %86, align 4
  %87 = getelementptr inbounds nuw i8, ptr %57, i64 164
  %88 = load i32, ptr %87, align 4
  %89 = icmp eq i32 %88, 2
  br i1 %89, label %90, label %101

90:
  %91 = getelementptr inbounds nuw i8, ptr %57, i64 244
  %92 = load i32, ptr %91, align 4
  %93 = icmp eq i32 %92, 0
  br i1 %93, label %101, label %94

94:
  %95 = getelementptr inbounds nuw i8, ptr %57, i64 196
  %96 = load i32, ptr %95, align 4
  %97 = icmp eq i32 %96, 17
  br i1 %97, label %98, label %101

98:
  store i32 0, ptr %87, align 4
  store i32 0, ptr %91, align 4
  %99 = tail call i32 @choose(ptr noundef nonnull %57, ptr noundef nonnull %58)
  %100 = load i32, ptr %28, align 8
  br label %101

101:
  %102 = phi i32 [ %53, %85 ], [ %53, %90 ], [ %53, %94 ], [ %53, %68 ], [ %100, %98 ]
  %103 = add nuw nsw i64 %54, 1
  %104 = zext i32 %102 to i64
  %105 = icmp samesign ult i64 %103, %104
  br i1 %105, label %52, label %106

106:
  ret void
}

define void @mbarrier_transact(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, ptr noundef readonly captures(none) %3, ptr noundef %4, i64 noundef %5) local_unnamed_addr {
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 152
  %10 = load i64, ptr %9, align 8
  %11 = add i64 %10, 1
  store i64 %11, ptr %9, align 8
  %12 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %13 = load i64, ptr %12, align 8
  %14 = add nsw i64 %13, %5
  store i64 %14, ptr %12, align 8
  %15 = add i64 %5, -1048576
  %16 = icmp ult i64 %15, -2097151
  %17 = select i1 %16, i64 %5, i64 %14
  %18 = add i64 %17, -1048576
  %19 = icmp ult i64 %18, -2097151
  br i1 %19, label %20, label %24

20:
  %21 = zext nneg i32 %2 to i64
  %22 = shl nuw i64 1, %21
  %23 = tail call i64 @llvm.abs.i64(i64 %17, i1 true)
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %22, i32 noundef 37, i64 noundef %23, i64 noundef 0, i64 noundef 0)
  br label %24

24:
  tail call fastcc void @complete_phase(ptr noundef %3, ptr noundef nonnull %4)
  ret void
}

define void @mbarriers_begin(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = load ptr, ptr %0, align 8
  %3 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 536
  store i64 31, ptr %5, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 912
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 88
  br label %12

11:
  ret void

12:
  %13 = phi i64 [ 0, %1 ], [ %36, %35 ]
  %14 = getelementptr inbounds nuw %struct.Mbarrier, ptr %9, i64 %13
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 28
  %16 = load i32, ptr %15, align 4
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %35, label %18

18:
  %19 = load ptr, ptr %7, align 8
  %20 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %21 = load i32, ptr %20, align 8
  %22 = lshr i32 %21, 3
  %23 = zext nneg i32 %22 to i64
  %24 = getelementptr inbounds nuw i16, ptr %19, i64 %23
  store i16 0, ptr %24, align 2
  %25 = zext i32 %21 to i64
  %26 = lshr i64 %25, 3
  %27 = and i64 %26, 63
  %28 = shl nuw i64 1, %27
  %29 = load ptr, ptr %10, align 8
  %30 = lshr i64 %25, 9
  %31 = getelementptr inbounds nuw i64, ptr %29, i64 %30
  %32 = load i64, ptr %31, align 8
  %33 = xor i64 %28, -1
  %34 = and i64 %32, %33
  store i64 %34, ptr %31, align 8
  br label %35

35:
  store i32 0, ptr %15, align 4
  %36 = add nuw nsw i64 %13, 1
  %37 = icmp eq i64 %36, 512
  br i1 %37, label %11, label %12
}

define void @lm_mbarrier_init(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = alloca %struct.Access, align 8
  %7 = alloca %struct.Access, align 8
  %8 = alloca i64, align 8
  %9 = alloca %struct.Access, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %11 = load i64, ptr %10, align 8
  %12 = add i64 %11, 1
  store i64 %12, ptr %10, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %14 = zext i32 %4 to i64
  %15 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %14
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %18 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %19 = getelementptr inbounds nuw i8, ptr %9, i64 12
  %20 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %21 = getelementptr inbounds nuw i8, ptr %9, i64 20
  %22 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %23 = getelementptr inbounds nuw i8, ptr %9, i64 32
  %24 = getelementptr inbounds nuw i8, ptr %9, i64 40
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %26 = getelementptr inbounds nuw i8, ptr %7, i64 12
  %27 = getelementptr inbounds nuw i8, ptr %6, i64 12
  br label %29

28:
  ret void

29:
  %30 = phi i64 [ 0, %5 ], [ %156, %155 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  %31 = getelementptr inbounds nuw i32, ptr %15, i64 %30
  %32 = load i32, ptr %31, align 4
  %33 = shl nuw nsw i64 1, %30
  %34 = and i64 %33, %3
  %35 = icmp eq i64 %34, 0
  br i1 %35, label %155, label %36

36:
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  %37 = load i64, ptr %10, align 8
  %38 = load i32, ptr %16, align 4
  %39 = zext i32 %38 to i64
  %40 = shl nuw nsw i64 %39, 28
  %41 = load ptr, ptr %0, align 8
  %42 = load i64, ptr %41, align 8
  %43 = load ptr, ptr %17, align 8
  %44 = getelementptr inbounds nuw i8, ptr %43, i64 88
  %45 = load i64, ptr %44, align 8
  %46 = sub i64 %42, %45
  %47 = shl i64 %46, 37
  %48 = or i64 %37, %40
  %49 = or i64 %48, %47
  %50 = or i64 %49, 288230376151711744
  %51 = getelementptr inbounds nuw i8, ptr %43, i64 528
  %52 = load ptr, ptr %51, align 8
  %53 = icmp eq ptr %52, null
  br i1 %53, label %69, label %54

54:
  %55 = getelementptr inbounds nuw i8, ptr %52, i64 16
  %56 = load ptr, ptr %55, align 8
  %57 = load i64, ptr %52, align 8
  %58 = getelementptr inbounds nuw i8, ptr %52, i64 8
  %59 = load i64, ptr %58, align 8
  %60 = urem i64 %57, %59
  %61 = getelementptr inbounds nuw i64, ptr %56, i64 %60
  store i64 %50, ptr %61, align 8
  %62 = getelementptr inbounds nuw i8, ptr %52, i64 24
  %63 = load ptr, ptr %62, align 8
  %64 = load i64, ptr %52, align 8
  %65 = add i64 %64, 1
  store i64 %65, ptr %52, align 8
  %66 = load i64, ptr %58, align 8
  %67 = urem i64 %64, %66
  %68 = getelementptr inbounds nuw i32, ptr %63, i64 %67
  store i32 %1, ptr %68, align 4
  br label %69

69:
  store ptr %0, ptr %9, align 8
  store i32 %1, ptr %18, align 8
  store i32 %2, ptr %19, align 4
  store i32 34, ptr %20, align 8
  store i32 1, ptr %21, align 4
  store i64 0, ptr %22, align 8
  store i64 %50, ptr %23, align 8
  store ptr null, ptr %24, align 8
  %70 = getelementptr inbounds nuw i64, ptr %25, i64 %30
  %71 = load i64, ptr %70, align 8
  %72 = call ptr @memory_at(ptr noundef nonnull %0, i32 noundef %2, i64 noundef %71, i64 noundef 8, ptr noundef nonnull %8)
  %73 = icmp eq ptr %72, null
  br i1 %73, label %78, label %74

74:
  %75 = getelementptr inbounds nuw i8, ptr %72, i64 84
  %76 = load i32, ptr %75, align 4
  %77 = icmp eq i32 %76, 1
  br i1 %77, label %80, label %78

78:
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %6, ptr noundef nonnull readonly align 8 dereferenceable(48) %9, i64 48, i1 false)
  store i32 1, ptr %27, align 4
  %79 = trunc nuw nsw i64 %30 to i32
  call void @out_of_bounds(ptr noundef nonnull %6, i32 noundef %79, i64 noundef %71, i64 noundef 8)
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  br label %154

80:
  %81 = load i64, ptr %8, align 8
  %82 = and i64 %81, 7
  %83 = icmp eq i64 %82, 0
  br i1 %83, label %86, label %84

84:
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %7, ptr noundef nonnull readonly align 8 dereferenceable(48) %9, i64 48, i1 false)
  store i32 1, ptr %26, align 4
  %85 = trunc nuw nsw i64 %30 to i32
  call void @misaligned(ptr noundef nonnull %7, i32 noundef %85, i64 noundef %71, i64 noundef 8)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  br label %154

86:
  %87 = getelementptr inbounds nuw i8, ptr %72, i64 72
  %88 = load ptr, ptr %87, align 8
  %89 = add i32 %32, -1048576
  %90 = icmp ult i32 %89, -1048575
  br i1 %90, label %91, label %93

91:
  %92 = zext i32 %32 to i64
  call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %33, i32 noundef 34, i64 noundef %92, i64 noundef 0, i64 noundef 0)
  br label %93

93:
  %94 = getelementptr inbounds nuw i8, ptr %88, i64 912
  %95 = load ptr, ptr %94, align 8
  %96 = load ptr, ptr %95, align 8
  %97 = lshr exact i64 %81, 2
  %98 = getelementptr inbounds nuw i8, ptr %96, i64 %97
  %99 = load i16, ptr %98, align 2
  %100 = icmp eq i16 %99, 0
  br i1 %100, label %103, label %101

101:
  %102 = load i64, ptr %70, align 8
  call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %33, i32 noundef 32, i64 noundef %102, i64 noundef 0, i64 noundef 0)
  br label %154

103:
  %104 = trunc nuw nsw i64 %30 to i32
  call void @order_only(ptr noundef nonnull %9, i32 noundef %104, ptr noundef nonnull %72, i64 noundef %81, i64 noundef 8)
  %105 = load ptr, ptr %94, align 8
  %106 = getelementptr inbounds nuw i8, ptr %105, i64 8
  %107 = load ptr, ptr %106, align 8
  br label %108

108:
  %109 = phi i64 [ 0, %103 ], [ %115, %114 ]
  %110 = getelementptr inbounds nuw %struct.Mbarrier, ptr %107, i64 %109
  %111 = getelementptr inbounds nuw i8, ptr %110, i64 28
  %112 = load i32, ptr %111, align 4
  %113 = icmp eq i32 %112, 0
  br i1 %113, label %118, label %114

114:
  %115 = add nuw nsw i64 %109, 1
  %116 = icmp eq i64 %115, 512
  br i1 %116, label %117, label %108

117:
  call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %33, i32 noundef 33, i64 noundef 512, i64 noundef 0, i64 noundef 0)
  br label %154

118:
  %119 = and i64 %109, 4294967295
  %120 = getelementptr inbounds nuw %struct.Mbarrier, ptr %107, i64 %119
  %121 = load i64, ptr %8, align 8
  %122 = trunc i64 %121 to i32
  %123 = getelementptr inbounds nuw i8, ptr %120, i64 16
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %120, i8 0, i64 16, i1 false)
  store i32 %32, ptr %123, align 8
  %124 = getelementptr inbounds nuw i8, ptr %120, i64 20
  store i32 %32, ptr %124, align 4
  %125 = getelementptr inbounds nuw i8, ptr %120, i64 24
  store i32 %122, ptr %125, align 8
  %126 = getelementptr inbounds nuw i8, ptr %120, i64 28
  store i32 1, ptr %126, align 4
  %127 = lshr i64 %121, 3
  %128 = and i64 %127, 63
  %129 = shl nuw i64 1, %128
  %130 = getelementptr inbounds nuw i8, ptr %72, i64 64
  %131 = load ptr, ptr %130, align 8
  %132 = lshr i64 %121, 9
  %133 = getelementptr inbounds nuw i64, ptr %131, i64 %132
  %134 = load i64, ptr %133, align 8
  %135 = or i64 %134, %129
  store i64 %135, ptr %133, align 8
  %136 = trunc i64 %109 to i16
  %137 = add nsw i16 %136, 1
  %138 = load ptr, ptr %105, align 8
  %139 = getelementptr inbounds nuw i16, ptr %138, i64 %127
  store i16 %137, ptr %139, align 2
  %140 = getelementptr inbounds nuw i8, ptr %105, i64 16
  %141 = load ptr, ptr %140, align 8
  %142 = shl nuw nsw i64 %119, 1
  %143 = load ptr, ptr %88, align 8
  %144 = getelementptr inbounds nuw i8, ptr %143, i64 112
  %145 = load i64, ptr %144, align 8
  %146 = getelementptr inbounds nuw i8, ptr %143, i64 8
  %147 = load i32, ptr %146, align 8
  %148 = zext i32 %147 to i64
  %149 = mul i64 %145, %148
  %150 = add i64 %149, 3
  %151 = mul i64 %142, %150
  %152 = getelementptr inbounds nuw i64, ptr %141, i64 %151
  %153 = shl i64 %150, 4
  call void @llvm.memset.p0.i64(ptr align 1 %152, i8 0, i64 %153, i1 false)
  br label %154

154:
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  br label %155

155:
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  %156 = add nuw nsw i64 %30, 1
  %157 = icmp eq i64 %156, 32
  br i1 %157, label %28, label %29
}

define void @lm_mbarrier_inval(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = alloca ptr, align 8
  %6 = alloca %struct.Access, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %8 = load i64, ptr %7, align 8
  %9 = add i64 %8, 1
  store i64 %9, ptr %7, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %13 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %14 = getelementptr inbounds nuw i8, ptr %6, i64 12
  %15 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %16 = getelementptr inbounds nuw i8, ptr %6, i64 20
  %17 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %18 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %19 = getelementptr inbounds nuw i8, ptr %6, i64 40
  br label %21

20:
  ret void

21:
  %22 = phi i64 [ 0, %4 ], [ %91, %90 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  %23 = shl nuw nsw i64 1, %22
  %24 = and i64 %23, %3
  %25 = icmp eq i64 %24, 0
  br i1 %25, label %90, label %26

26:
  %27 = getelementptr inbounds nuw i64, ptr %10, i64 %22
  %28 = load i64, ptr %27, align 8
  %29 = trunc nuw nsw i64 %22 to i32
  %30 = call ptr @mbarrier_find(ptr noundef %0, i32 noundef %1, i32 noundef %29, i32 noundef %2, i64 noundef %28, ptr noundef nonnull %5)
  %31 = icmp eq ptr %30, null
  br i1 %31, label %90, label %32

32:
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  %33 = load i64, ptr %7, align 8
  %34 = load i32, ptr %11, align 4
  %35 = zext i32 %34 to i64
  %36 = shl nuw nsw i64 %35, 28
  %37 = load ptr, ptr %0, align 8
  %38 = load i64, ptr %37, align 8
  %39 = load ptr, ptr %12, align 8
  %40 = getelementptr inbounds nuw i8, ptr %39, i64 88
  %41 = load i64, ptr %40, align 8
  %42 = sub i64 %38, %41
  %43 = shl i64 %42, 37
  %44 = or i64 %33, %36
  %45 = or i64 %44, %43
  %46 = or i64 %45, 288230376151711744
  %47 = getelementptr inbounds nuw i8, ptr %39, i64 528
  %48 = load ptr, ptr %47, align 8
  %49 = icmp eq ptr %48, null
  br i1 %49, label %65, label %50

50:
  %51 = getelementptr inbounds nuw i8, ptr %48, i64 16
  %52 = load ptr, ptr %51, align 8
  %53 = load i64, ptr %48, align 8
  %54 = getelementptr inbounds nuw i8, ptr %48, i64 8
  %55 = load i64, ptr %54, align 8
  %56 = urem i64 %53, %55
  %57 = getelementptr inbounds nuw i64, ptr %52, i64 %56
  store i64 %46, ptr %57, align 8
  %58 = getelementptr inbounds nuw i8, ptr %48, i64 24
  %59 = load ptr, ptr %58, align 8
  %60 = load i64, ptr %48, align 8
  %61 = add i64 %60, 1
  store i64 %61, ptr %48, align 8
  %62 = load i64, ptr %54, align 8
  %63 = urem i64 %60, %62
  %64 = getelementptr inbounds nuw i32, ptr %59, i64 %63
  store i32 %1, ptr %64, align 4
  br label %65

65:
  store ptr %0, ptr %6, align 8
  store i32 %1, ptr %13, align 8
  store i32 %2, ptr %14, align 4
  store i32 34, ptr %15, align 8
  store i32 1, ptr %16, align 4
  store i64 0, ptr %17, align 8
  store i64 %46, ptr %18, align 8
  store ptr null, ptr %19, align 8
  %66 = getelementptr inbounds nuw i8, ptr %30, i64 28
  store i32 0, ptr %66, align 4
  %67 = load ptr, ptr %5, align 8
  %68 = getelementptr inbounds nuw i8, ptr %67, i64 912
  %69 = load ptr, ptr %68, align 8
  %70 = load ptr, ptr %69, align 8
  %71 = getelementptr inbounds nuw i8, ptr %30, i64 24
  %72 = load i32, ptr %71, align 8
  %73 = lshr i32 %72, 3
  %74 = zext nneg i32 %73 to i64
  %75 = getelementptr inbounds nuw i16, ptr %70, i64 %74
  store i16 0, ptr %75, align 2
  %76 = getelementptr inbounds nuw i8, ptr %67, i64 24
  %77 = zext i32 %72 to i64
  %78 = lshr i64 %77, 3
  %79 = and i64 %78, 63
  %80 = shl nuw i64 1, %79
  %81 = getelementptr inbounds nuw i8, ptr %67, i64 88
  %82 = load ptr, ptr %81, align 8
  %83 = lshr i64 %77, 9
  %84 = getelementptr inbounds nuw i64, ptr %82, i64 %83
  %85 = load i64, ptr %84, align 8
  %86 = xor i64 %80, -1
  %87 = and i64 %85, %86
  store i64 %87, ptr %84, align 8
  call void @order_only(ptr noundef nonnull %6, i32 noundef %29, ptr noundef nonnull %76, i64 noundef %77, i64 noundef 8)
  %88 = load i32, ptr %71, align 8
  %89 = zext i32 %88 to i64
  call void @undefine(ptr noundef nonnull %6, i32 noundef %29, ptr noundef nonnull %76, i64 noundef %89, i64 noundef 8)
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  br label %90

90:
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  %91 = add nuw nsw i64 %22, 1
  %92 = icmp eq i64 %91, 32
  br i1 %92, label %20, label %21
}

define void @lm_mbarrier_arrive(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = alloca ptr, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %9 = load i64, ptr %8, align 8
  %10 = add i64 %9, 1
  store i64 %10, ptr %8, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %13 = zext i32 %4 to i64
  %14 = getelementptr inbounds nuw [64 x i32], ptr %12, i64 %13
  %15 = and i32 %5, 4
  %16 = icmp eq i32 %15, 0
  %17 = add i32 %4, 1
  %18 = zext i32 %17 to i64
  %19 = getelementptr inbounds nuw [64 x i32], ptr %12, i64 %18
  %20 = add i32 %4, 2
  %21 = zext i32 %20 to i64
  %22 = getelementptr inbounds nuw [64 x i32], ptr %12, i64 %21
  %23 = and i32 %5, 8
  %24 = icmp eq i32 %23, 0
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %29 = and i32 %5, 1
  %30 = icmp eq i32 %29, 0
  %31 = and i32 %5, 2
  %32 = icmp eq i32 %31, 0
  br label %34

33:
  ret void

34:
  %35 = phi i64 [ 0, %6 ], [ %256, %255 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  %36 = shl nuw nsw i64 1, %35
  %37 = and i64 %36, %3
  %38 = icmp eq i64 %37, 0
  br i1 %38, label %255, label %39

39:
  %40 = getelementptr inbounds nuw i64, ptr %11, i64 %35
  %41 = load i64, ptr %40, align 8
  %42 = trunc nuw nsw i64 %35 to i32
  %43 = call ptr @mbarrier_find(ptr noundef %0, i32 noundef %1, i32 noundef %42, i32 noundef %2, i64 noundef %41, ptr noundef nonnull %7)
  %44 = getelementptr inbounds nuw i32, ptr %14, i64 %35
  %45 = load i32, ptr %44, align 4
  %46 = select i1 %16, i32 %45, i32 1
  %47 = icmp eq ptr %43, null
  br i1 %47, label %252, label %48

48:
  %49 = load i64, ptr %43, align 8
  %50 = shl i64 %49, 20
  %51 = getelementptr inbounds nuw i8, ptr %43, i64 20
  %52 = load i32, ptr %51, align 4
  %53 = trunc i64 %50 to i32
  %54 = or i32 %52, %53
  %55 = getelementptr inbounds nuw i32, ptr %19, i64 %35
  store i32 %54, ptr %55, align 4
  %56 = lshr i64 %50, 32
  %57 = trunc nuw i64 %56 to i32
  %58 = getelementptr inbounds nuw i32, ptr %22, i64 %35
  store i32 %57, ptr %58, align 4
  %59 = add i32 %46, -1048576
  %60 = icmp ult i32 %59, -1048575
  br i1 %60, label %61, label %63

61:
  %62 = zext i32 %46 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %36, i32 noundef 34, i64 noundef %62, i64 noundef 0, i64 noundef 0)
  br label %63

63:
  br i1 %24, label %115, label %64

64:
  %65 = load ptr, ptr %0, align 8
  %66 = getelementptr inbounds nuw i8, ptr %65, i64 128
  %67 = load ptr, ptr %66, align 8
  %68 = icmp eq ptr %67, null
  br i1 %68, label %208, label %69

69:
  %70 = load ptr, ptr %7, align 8
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 912
  %72 = load ptr, ptr %71, align 8
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 16
  %74 = load ptr, ptr %73, align 8
  %75 = load ptr, ptr %70, align 8
  %76 = getelementptr inbounds nuw i8, ptr %75, i64 112
  %77 = load i64, ptr %76, align 8
  %78 = getelementptr inbounds nuw i8, ptr %75, i64 8
  %79 = load i32, ptr %78, align 8
  %80 = zext i32 %79 to i64
  %81 = mul i64 %77, %80
  %82 = add i64 %81, 3
  %83 = ptrtoint ptr %43 to i64
  %84 = getelementptr inbounds nuw i8, ptr %72, i64 8
  %85 = load ptr, ptr %84, align 8
  %86 = ptrtoint ptr %85 to i64
  %87 = sub i64 %83, %86
  %88 = ashr exact i64 %87, 4
  %89 = mul i64 %88, %82
  %90 = getelementptr inbounds nuw i64, ptr %74, i64 %89
  %91 = getelementptr inbounds nuw i8, ptr %90, i64 24
  %92 = getelementptr inbounds nuw i8, ptr %65, i64 8
  %93 = load i32, ptr %92, align 8
  %94 = zext i32 %93 to i64
  %95 = mul nuw nsw i64 %94, 56
  %96 = getelementptr inbounds nuw i8, ptr %91, i64 %95
  %97 = load i32, ptr %25, align 4
  %98 = zext i32 %97 to i64
  %99 = shl nuw nsw i64 %94, 3
  %100 = mul i64 %99, %98
  %101 = getelementptr inbounds nuw i64, ptr %67, i64 %100
  %102 = shl nuw nsw i64 %94, 2
  %103 = icmp eq i32 %93, 0
  br i1 %103, label %208, label %104

104:
  %105 = phi i64 [ %113, %112 ], [ 0, %69 ]
  %106 = getelementptr inbounds nuw i64, ptr %101, i64 %105
  %107 = load i64, ptr %106, align 8
  %108 = getelementptr inbounds nuw i64, ptr %96, i64 %105
  %109 = load i64, ptr %108, align 8
  %110 = icmp ugt i64 %107, %109
  br i1 %110, label %111, label %112

111:
  store i64 %107, ptr %108, align 8
  br label %112

112:
  %113 = add nuw nsw i64 %105, 1
  %114 = icmp eq i64 %113, %102
  br i1 %114, label %208, label %104

115:
  %116 = load ptr, ptr %7, align 8
  %117 = getelementptr inbounds nuw i8, ptr %116, i64 912
  %118 = load ptr, ptr %117, align 8
  %119 = getelementptr inbounds nuw i8, ptr %118, i64 16
  %120 = load ptr, ptr %119, align 8
  %121 = getelementptr inbounds nuw i8, ptr %118, i64 8
  %122 = load ptr, ptr %121, align 8
  %123 = ptrtoint ptr %43 to i64
  %124 = ptrtoint ptr %122 to i64
  %125 = sub i64 %123, %124
  %126 = ashr exact i64 %125, 4
  %127 = load ptr, ptr %116, align 8
  %128 = getelementptr inbounds nuw i8, ptr %127, i64 112
  %129 = load i64, ptr %128, align 8
  %130 = getelementptr inbounds nuw i8, ptr %127, i64 8
  %131 = load i32, ptr %130, align 8
  %132 = zext i32 %131 to i64
  %133 = mul i64 %129, %132
  %134 = add i64 %133, 3
  %135 = mul i64 %134, %126
  %136 = getelementptr inbounds nuw i64, ptr %120, i64 %135
  %137 = load ptr, ptr %0, align 8
  %138 = getelementptr inbounds nuw i8, ptr %137, i64 120
  %139 = load ptr, ptr %138, align 8
  %140 = load i32, ptr %25, align 4
  %141 = zext i32 %140 to i64
  %142 = getelementptr inbounds nuw i8, ptr %137, i64 112
  %143 = load i64, ptr %142, align 8
  %144 = getelementptr inbounds nuw i8, ptr %137, i64 8
  %145 = load i32, ptr %144, align 8
  %146 = zext i32 %145 to i64
  %147 = mul i64 %143, %146
  %148 = add i64 %147, 3
  %149 = mul i64 %148, %141
  %150 = getelementptr inbounds nuw i64, ptr %139, i64 %149
  %151 = tail call i64 @llvm.umin.i64(i64 %143, i64 7)
  %152 = mul nuw nsw i64 %151, %146
  %153 = add nuw nsw i64 %152, 2
  br label %154

154:
  %155 = phi i64 [ %163, %162 ], [ 0, %115 ]
  %156 = getelementptr inbounds nuw i64, ptr %150, i64 %155
  %157 = load i64, ptr %156, align 8
  %158 = getelementptr inbounds nuw i64, ptr %136, i64 %155
  %159 = load i64, ptr %158, align 8
  %160 = icmp ugt i64 %157, %159
  br i1 %160, label %161, label %162

161:
  store i64 %157, ptr %158, align 8
  br label %162

162:
  %163 = add nuw nsw i64 %155, 1
  %164 = icmp eq i64 %155, %153
  br i1 %164, label %165, label %154

165:
  %166 = load ptr, ptr %26, align 8
  %167 = getelementptr inbounds nuw i8, ptr %166, i64 144
  %168 = getelementptr inbounds nuw i8, ptr %136, i64 24
  %169 = getelementptr inbounds nuw i64, ptr %168, i64 %141
  br label %193

170:
  %171 = getelementptr inbounds nuw i8, ptr %137, i64 128
  %172 = load ptr, ptr %171, align 8
  %173 = icmp eq ptr %172, null
  br i1 %173, label %208, label %174

174:
  %175 = mul nuw nsw i64 %146, 56
  %176 = getelementptr inbounds nuw i8, ptr %168, i64 %175
  %177 = shl nuw nsw i64 %141, 3
  %178 = mul i64 %177, %146
  %179 = getelementptr inbounds nuw i64, ptr %172, i64 %178
  %180 = shl nuw nsw i64 %146, 2
  %181 = icmp eq i32 %145, 0
  br i1 %181, label %208, label %182

182:
  %183 = phi i64 [ %191, %190 ], [ 0, %174 ]
  %184 = getelementptr inbounds nuw i64, ptr %179, i64 %183
  %185 = load i64, ptr %184, align 8
  %186 = getelementptr inbounds nuw i64, ptr %176, i64 %183
  %187 = load i64, ptr %186, align 8
  %188 = icmp ugt i64 %185, %187
  br i1 %188, label %189, label %190

189:
  store i64 %185, ptr %186, align 8
  br label %190

190:
  %191 = add nuw nsw i64 %183, 1
  %192 = icmp eq i64 %191, %180
  br i1 %192, label %208, label %182

193:
  %194 = phi i1 [ true, %165 ], [ false, %207 ]
  %195 = phi i64 [ 0, %165 ], [ 1, %207 ]
  %196 = load i64, ptr %167, align 8
  %197 = icmp ne i64 %196, 0
  %198 = or i1 %194, %197
  %199 = getelementptr inbounds nuw i64, ptr %27, i64 %195
  %200 = select i1 %198, ptr %199, ptr %28
  %201 = load i64, ptr %200, align 8
  %202 = mul nuw nsw i64 %195, %146
  %203 = getelementptr inbounds nuw i64, ptr %169, i64 %202
  %204 = load i64, ptr %203, align 8
  %205 = icmp ugt i64 %201, %204
  br i1 %205, label %206, label %207

206:
  store i64 %201, ptr %203, align 8
  br label %207

207:
  br i1 %194, label %193, label %170

208:
  br i1 %16, label %226, label %209

209:
  %210 = load ptr, ptr %7, align 8
  %211 = zext i32 %45 to i64
  %212 = load ptr, ptr %26, align 8
  %213 = getelementptr inbounds nuw i8, ptr %212, i64 152
  %214 = load i64, ptr %213, align 8
  %215 = add i64 %214, 1
  store i64 %215, ptr %213, align 8
  %216 = getelementptr inbounds nuw i8, ptr %43, i64 8
  %217 = load i64, ptr %216, align 8
  %218 = add nsw i64 %217, %211
  store i64 %218, ptr %216, align 8
  %219 = icmp ugt i32 %45, 1048575
  %220 = select i1 %219, i64 %211, i64 %218
  %221 = add i64 %220, -1048576
  %222 = icmp ult i64 %221, -2097151
  br i1 %222, label %223, label %225

223:
  %224 = tail call i64 @llvm.abs.i64(i64 %220, i1 true)
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %36, i32 noundef 37, i64 noundef %224, i64 noundef 0, i64 noundef 0)
  br label %225

225:
  tail call fastcc void @complete_phase(ptr noundef readonly %210, ptr noundef nonnull %43)
  br label %226

226:
  br i1 %30, label %231, label %227

227:
  %228 = getelementptr inbounds nuw i8, ptr %43, i64 16
  %229 = load i32, ptr %228, align 8
  %230 = tail call i32 @llvm.usub.sat.i32(i32 %229, i32 %46)
  store i32 %230, ptr %228, align 8
  br label %231

231:
  %232 = load i64, ptr %43, align 8
  %233 = load ptr, ptr %7, align 8
  %234 = load i32, ptr %51, align 4
  %235 = icmp ugt i32 %46, %234
  br i1 %235, label %236, label %240

236:
  %237 = zext i32 %46 to i64
  %238 = zext i32 %234 to i64
  tail call void @tensor_rule(ptr noundef %0, i32 noundef %1, i64 noundef %36, i32 noundef 35, i64 noundef %237, i64 noundef %238, i64 noundef %232)
  %239 = load i32, ptr %51, align 4
  br label %240

240:
  %241 = phi i32 [ %239, %236 ], [ %234, %231 ]
  %242 = phi i32 [ %239, %236 ], [ %46, %231 ]
  %243 = load ptr, ptr %26, align 8
  %244 = getelementptr inbounds nuw i8, ptr %243, i64 152
  %245 = load i64, ptr %244, align 8
  %246 = add i64 %245, 1
  store i64 %246, ptr %244, align 8
  %247 = sub i32 %241, %242
  store i32 %247, ptr %51, align 4
  tail call fastcc void @complete_phase(ptr noundef readonly %233, ptr noundef nonnull %43)
  br i1 %32, label %255, label %248

248:
  %249 = load i64, ptr %43, align 8
  %250 = icmp eq i64 %249, %232
  br i1 %250, label %255, label %251

251:
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %36, i32 noundef 36, i64 noundef 0, i64 noundef 0, i64 noundef 0)
  br label %255

252:
  %253 = getelementptr inbounds nuw i32, ptr %19, i64 %35
  store i32 0, ptr %253, align 4
  %254 = getelementptr inbounds nuw i32, ptr %22, i64 %35
  store i32 0, ptr %254, align 4
  br label %255

255:
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  %256 = add nuw nsw i64 %35, 1
  %257 = icmp eq i64 %256, 32
  br i1 %257, label %33, label %34
}

define void @publish_fenced(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1) local_unnamed_addr {
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 128
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, null
  br i1 %6, label %33, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %10 = load i32, ptr %9, align 8
  %11 = zext i32 %10 to i64
  %12 = mul nuw nsw i64 %11, 56
  %13 = getelementptr inbounds nuw i8, ptr %8, i64 %12
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %15 = load i32, ptr %14, align 4
  %16 = zext i32 %15 to i64
  %17 = shl nuw nsw i64 %11, 3
  %18 = mul i64 %17, %16
  %19 = getelementptr inbounds nuw i64, ptr %5, i64 %18
  %20 = shl nuw nsw i64 %11, 2
  %21 = icmp eq i32 %10, 0
  br i1 %21, label %33, label %22

22:
  %23 = phi i64 [ %31, %30 ], [ 0, %7 ]
  %24 = getelementptr inbounds nuw i64, ptr %19, i64 %23
  %25 = load i64, ptr %24, align 8
  %26 = getelementptr inbounds nuw i64, ptr %13, i64 %23
  %27 = load i64, ptr %26, align 8
  %28 = icmp ugt i64 %25, %27
  br i1 %28, label %29, label %30

29:
  store i64 %25, ptr %26, align 8
  br label %30

30:
  %31 = add nuw nsw i64 %23, 1
  %32 = icmp eq i64 %31, %20
  br i1 %32, label %33, label %22

33:
  ret void
}

define void @lm_publish(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1) local_unnamed_addr {
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 120
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %7 = load i32, ptr %6, align 4
  %8 = zext i32 %7 to i64
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 112
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %12 = load i32, ptr %11, align 8
  %13 = zext i32 %12 to i64
  %14 = mul i64 %10, %13
  %15 = add i64 %14, 3
  %16 = mul i64 %15, %8
  %17 = getelementptr inbounds nuw i64, ptr %5, i64 %16
  %18 = tail call i64 @llvm.umin.i64(i64 %10, i64 7)
  %19 = mul nuw nsw i64 %18, %13
  %20 = add nuw nsw i64 %19, 2
  br label %21

21:
  %22 = phi i64 [ %30, %29 ], [ 0, %2 ]
  %23 = getelementptr inbounds nuw i64, ptr %17, i64 %22
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds nuw i64, ptr %1, i64 %22
  %26 = load i64, ptr %25, align 8
  %27 = icmp ugt i64 %24, %26
  br i1 %27, label %28, label %29

28:
  store i64 %24, ptr %25, align 8
  br label %29

29:
  %30 = add nuw nsw i64 %22, 1
  %31 = icmp eq i64 %22, %20
  br i1 %31, label %32, label %21

32:
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %34 = load ptr, ptr %33, align 8
  %35 = getelementptr inbounds nuw i8, ptr %34, i64 144
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %38 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %39 = getelementptr inbounds nuw i64, ptr %38, i64 %8
  br label %64

40:
  %41 = getelementptr inbounds nuw i8, ptr %3, i64 128
  %42 = load ptr, ptr %41, align 8
  %43 = icmp eq ptr %42, null
  br i1 %43, label %63, label %44

44:
  %45 = mul nuw nsw i64 %13, 56
  %46 = getelementptr inbounds nuw i8, ptr %38, i64 %45
  %47 = shl nuw nsw i64 %8, 3
  %48 = mul i64 %47, %13
  %49 = getelementptr inbounds nuw i64, ptr %42, i64 %48
  %50 = shl nuw nsw i64 %13, 2
  %51 = icmp eq i32 %12, 0
  br i1 %51, label %63, label %52

52:
  %53 = phi i64 [ %61, %60 ], [ 0, %44 ]
  %54 = getelementptr inbounds nuw i64, ptr %49, i64 %53
  %55 = load i64, ptr %54, align 8
  %56 = getelementptr inbounds nuw i64, ptr %46, i64 %53
  %57 = load i64, ptr %56, align 8
  %58 = icmp ugt i64 %55, %57
  br i1 %58, label %59, label %60

59:
  store i64 %55, ptr %56, align 8
  br label %60

60:
  %61 = add nuw nsw i64 %53, 1
  %62 = icmp eq i64 %61, %50
  br i1 %62, label %63, label %52

63:
  ret void

64:
  %65 = phi i1 [ true, %32 ], [ false, %78 ]
  %66 = phi i64 [ 0, %32 ], [ 1, %78 ]
  %67 = load i64, ptr %35, align 8
  %68 = icmp ne i64 %67, 0
  %69 = or i1 %65, %68
  %70 = getelementptr inbounds nuw i64, ptr %36, i64 %66
  %71 = select i1 %69, ptr %70, ptr %37
  %72 = load i64, ptr %71, align 8
  %73 = mul nuw nsw i64 %66, %13
  %74 = getelementptr inbounds nuw i64, ptr %39, i64 %73
  %75 = load i64, ptr %74, align 8
  %76 = icmp ugt i64 %72, %75
  br i1 %76, label %77, label %78

77:
  store i64 %72, ptr %74, align 8
  br label %78

78:
  br i1 %65, label %64, label %40
}

define void @lm_mbarrier_transact(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = alloca ptr, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %9 = load i64, ptr %8, align 8
  %10 = add i64 %9, 1
  store i64 %10, ptr %8, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %12 = icmp eq i32 %5, 0
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %14 = zext i32 %4 to i64
  %15 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %14
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %18

17:
  ret void

18:
  %19 = phi i64 [ 0, %6 ], [ %52, %51 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  %20 = shl nuw nsw i64 1, %19
  %21 = and i64 %20, %3
  %22 = icmp eq i64 %21, 0
  br i1 %22, label %51, label %23

23:
  %24 = getelementptr inbounds nuw i64, ptr %11, i64 %19
  %25 = load i64, ptr %24, align 8
  %26 = trunc nuw nsw i64 %19 to i32
  %27 = call ptr @mbarrier_find(ptr noundef %0, i32 noundef %1, i32 noundef %26, i32 noundef %2, i64 noundef %25, ptr noundef nonnull %7)
  %28 = icmp eq ptr %27, null
  br i1 %28, label %51, label %29

29:
  %30 = load ptr, ptr %7, align 8
  %31 = getelementptr inbounds nuw i32, ptr %15, i64 %19
  %32 = load i32, ptr %31, align 4
  %33 = zext i32 %32 to i64
  %34 = sub nsw i64 0, %33
  %35 = select i1 %12, i64 %33, i64 %34
  %36 = load ptr, ptr %16, align 8
  %37 = getelementptr inbounds nuw i8, ptr %36, i64 152
  %38 = load i64, ptr %37, align 8
  %39 = add i64 %38, 1
  store i64 %39, ptr %37, align 8
  %40 = getelementptr inbounds nuw i8, ptr %27, i64 8
  %41 = load i64, ptr %40, align 8
  %42 = add nsw i64 %41, %35
  store i64 %42, ptr %40, align 8
  %43 = add nsw i64 %35, -1048576
  %44 = icmp ult i64 %43, -2097151
  %45 = select i1 %44, i64 %35, i64 %42
  %46 = add i64 %45, -1048576
  %47 = icmp ult i64 %46, -2097151
  br i1 %47, label %48, label %50

48:
  %49 = tail call i64 @llvm.abs.i64(i64 %45, i1 true)
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %20, i32 noundef 37, i64 noundef %49, i64 noundef 0, i64 noundef 0)
  br label %50

50:
  tail call fastcc void @complete_phase(ptr noundef readonly %30, ptr noundef nonnull %27)
  br label %51

51:
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  %52 = add nuw nsw i64 %19, 1
  %53 = icmp eq i64 %52, 32
  br i1 %53, label %17, label %18
}

define range(i32 -1, 9) i32 @lm_mbarrier_wait(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i64 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr {
  %8 = alloca ptr, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %10 = load i32, ptr %9, align 8
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %12, label %17

12:
  store i32 1, ptr %9, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %14 = load i64, ptr %13, align 8
  %15 = trunc i64 %14 to i32
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %15, ptr %16, align 4
  br label %17

17:
  %18 = trunc i64 %4 to i32
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %20 = and i32 %6, 1
  %21 = icmp eq i32 %20, 0
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %23 = zext i32 %5 to i64
  %24 = getelementptr inbounds nuw [64 x i32], ptr %22, i64 %23
  %25 = add i32 %5, 1
  %26 = zext i32 %25 to i64
  %27 = getelementptr inbounds nuw [64 x i32], ptr %22, i64 %26
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %29 = add i32 %5, 2
  %30 = zext i32 %29 to i64
  %31 = getelementptr inbounds nuw [64 x i32], ptr %22, i64 %30
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 2104
  %33 = and i32 %6, 2
  %34 = icmp eq i32 %33, 0
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 28
  br label %46

36:
  %37 = icmp ne i32 %247, %18
  %38 = and i32 %6, 4
  %39 = icmp ne i32 %38, 0
  %40 = and i1 %39, %37
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 2088
  %42 = load i32, ptr %41, align 8
  %43 = and i32 %42, %18
  %44 = icmp eq i32 %43, 0
  %45 = select i1 %40, i1 %44, i1 false
  br i1 %45, label %254, label %250

46:
  %47 = phi i64 [ 0, %17 ], [ %248, %245 ]
  %48 = phi i32 [ %18, %17 ], [ %247, %245 ]
  %49 = phi i64 [ 0, %17 ], [ %246, %245 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  %50 = shl nuw nsw i64 1, %47
  %51 = and i64 %50, %4
  %52 = icmp eq i64 %51, 0
  br i1 %52, label %245, label %53

53:
  %54 = getelementptr inbounds nuw i64, ptr %19, i64 %47
  %55 = load i64, ptr %54, align 8
  %56 = trunc nuw nsw i64 %47 to i32
  %57 = call ptr @mbarrier_find(ptr noundef %0, i32 noundef %1, i32 noundef %56, i32 noundef %3, i64 noundef %55, ptr noundef nonnull %8)
  %58 = icmp eq ptr %57, null
  br i1 %58, label %115, label %59

59:
  br i1 %21, label %68, label %60

60:
  %61 = load i64, ptr %57, align 8
  %62 = and i64 %61, 1
  %63 = getelementptr inbounds nuw i32, ptr %24, i64 %47
  %64 = load i32, ptr %63, align 4
  %65 = and i32 %64, 1
  %66 = zext nneg i32 %65 to i64
  %67 = icmp ne i64 %62, %66
  br label %88

68:
  %69 = getelementptr inbounds nuw i32, ptr %24, i64 %47
  %70 = load i32, ptr %69, align 4
  %71 = zext i32 %70 to i64
  %72 = getelementptr inbounds nuw i32, ptr %27, i64 %47
  %73 = load i32, ptr %72, align 4
  %74 = zext i32 %73 to i64
  %75 = shl nuw i64 %74, 32
  %76 = or disjoint i64 %75, %71
  %77 = lshr i64 %76, 20
  %78 = load i64, ptr %57, align 8
  %79 = icmp ugt i64 %77, %78
  %80 = add nuw nsw i64 %77, 1
  %81 = icmp ult i64 %80, %78
  %82 = select i1 %79, i1 true, i1 %81
  br i1 %82, label %83, label %85

83:
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %50, i32 noundef 38, i64 noundef %77, i64 noundef %78, i64 noundef 0)
  %84 = load i64, ptr %57, align 8
  br label %85

85:
  %86 = phi i64 [ %78, %68 ], [ %84, %83 ]
  %87 = icmp ult i64 %77, %86
  br label %88

88:
  %89 = phi i1 [ %67, %60 ], [ %87, %85 ]
  %90 = zext i1 %89 to i32
  %91 = load ptr, ptr %8, align 8
  %92 = load ptr, ptr %28, align 8
  %93 = icmp eq ptr %91, %92
  br i1 %93, label %99, label %94

94:
  %95 = getelementptr inbounds nuw i8, ptr %91, i64 8
  %96 = load i32, ptr %95, align 8
  %97 = zext i32 %96 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %50, i32 noundef 39, i64 noundef %97, i64 noundef 0, i64 noundef 0)
  %98 = getelementptr inbounds nuw i32, ptr %31, i64 %47
  store i32 %90, ptr %98, align 4
  br i1 %89, label %117, label %101

99:
  %100 = getelementptr inbounds nuw i32, ptr %31, i64 %47
  store i32 %90, ptr %100, align 4
  br i1 %89, label %117, label %101

101:
  %102 = shl nuw i32 1, %56
  %103 = xor i32 %102, -1
  %104 = and i32 %48, %103
  %105 = load i64, ptr %54, align 8
  br i1 %21, label %111, label %106

106:
  %107 = getelementptr inbounds nuw i32, ptr %24, i64 %47
  %108 = load i32, ptr %107, align 4
  %109 = and i32 %108, 1
  %110 = zext nneg i32 %109 to i64
  br label %113

111:
  %112 = load i64, ptr %57, align 8
  br label %113

113:
  %114 = phi i64 [ %110, %106 ], [ %112, %111 ]
  store i64 %114, ptr %32, align 8
  br label %245

115:
  %116 = getelementptr inbounds nuw i32, ptr %31, i64 %47
  store i32 1, ptr %116, align 4
  br label %245

117:
  br i1 %34, label %170, label %118

118:
  %119 = load ptr, ptr %0, align 8
  %120 = getelementptr inbounds nuw i8, ptr %119, i64 128
  %121 = load ptr, ptr %120, align 8
  %122 = icmp eq ptr %121, null
  br i1 %122, label %245, label %123

123:
  %124 = getelementptr inbounds nuw i8, ptr %91, i64 912
  %125 = load ptr, ptr %124, align 8
  %126 = getelementptr inbounds nuw i8, ptr %125, i64 16
  %127 = load ptr, ptr %126, align 8
  %128 = load ptr, ptr %91, align 8
  %129 = getelementptr inbounds nuw i8, ptr %128, i64 112
  %130 = load i64, ptr %129, align 8
  %131 = getelementptr inbounds nuw i8, ptr %128, i64 8
  %132 = load i32, ptr %131, align 8
  %133 = zext i32 %132 to i64
  %134 = mul i64 %130, %133
  %135 = add i64 %134, 3
  %136 = ptrtoint ptr %57 to i64
  %137 = getelementptr inbounds nuw i8, ptr %125, i64 8
  %138 = load ptr, ptr %137, align 8
  %139 = ptrtoint ptr %138 to i64
  %140 = sub i64 %136, %139
  %141 = ashr exact i64 %140, 4
  %142 = mul i64 %141, %135
  %143 = getelementptr inbounds nuw i64, ptr %127, i64 %142
  %144 = getelementptr inbounds nuw i64, ptr %143, i64 %135
  %145 = load i32, ptr %35, align 4
  %146 = zext i32 %145 to i64
  %147 = shl nuw nsw i64 %146, 3
  %148 = or disjoint i64 %147, 4
  %149 = getelementptr inbounds nuw i8, ptr %119, i64 8
  %150 = load i32, ptr %149, align 8
  %151 = zext i32 %150 to i64
  %152 = mul i64 %148, %151
  %153 = getelementptr inbounds nuw i64, ptr %121, i64 %152
  %154 = getelementptr inbounds nuw i8, ptr %144, i64 24
  %155 = mul nuw nsw i64 %151, 56
  %156 = getelementptr inbounds nuw i8, ptr %154, i64 %155
  %157 = shl nuw nsw i64 %151, 2
  %158 = icmp eq i32 %150, 0
  br i1 %158, label %245, label %159

159:
  %160 = phi i64 [ %168, %167 ], [ 0, %123 ]
  %161 = getelementptr inbounds nuw i64, ptr %156, i64 %160
  %162 = load i64, ptr %161, align 8
  %163 = getelementptr inbounds nuw i64, ptr %153, i64 %160
  %164 = load i64, ptr %163, align 8
  %165 = icmp ugt i64 %162, %164
  br i1 %165, label %166, label %167

166:
  store i64 %162, ptr %163, align 8
  br label %167

167:
  %168 = add nuw nsw i64 %160, 1
  %169 = icmp eq i64 %168, %157
  br i1 %169, label %245, label %159

170:
  %171 = getelementptr inbounds nuw i8, ptr %91, i64 912
  %172 = load ptr, ptr %171, align 8
  %173 = getelementptr inbounds nuw i8, ptr %172, i64 16
  %174 = load ptr, ptr %173, align 8
  %175 = getelementptr inbounds nuw i8, ptr %172, i64 8
  %176 = load ptr, ptr %175, align 8
  %177 = ptrtoint ptr %57 to i64
  %178 = ptrtoint ptr %176 to i64
  %179 = sub i64 %177, %178
  %180 = ashr exact i64 %179, 4
  %181 = load ptr, ptr %91, align 8
  %182 = getelementptr inbounds nuw i8, ptr %181, i64 112
  %183 = load i64, ptr %182, align 8
  %184 = getelementptr inbounds nuw i8, ptr %181, i64 8
  %185 = load i32, ptr %184, align 8
  %186 = zext i32 %185 to i64
  %187 = mul i64 %183, %186
  %188 = add i64 %187, 3
  %189 = mul i64 %188, %180
  %190 = getelementptr inbounds nuw i64, ptr %174, i64 %189
  %191 = getelementptr inbounds nuw i64, ptr %190, i64 %188
  %192 = load ptr, ptr %0, align 8
  %193 = getelementptr inbounds nuw i8, ptr %192, i64 120
  %194 = load ptr, ptr %193, align 8
  %195 = load i32, ptr %35, align 4
  %196 = zext i32 %195 to i64
  %197 = getelementptr inbounds nuw i8, ptr %192, i64 112
  %198 = load i64, ptr %197, align 8
  %199 = getelementptr inbounds nuw i8, ptr %192, i64 8
  %200 = load i32, ptr %199, align 8
  %201 = zext i32 %200 to i64
  %202 = mul i64 %198, %201
  %203 = add i64 %202, 3
  %204 = mul i64 %203, %196
  %205 = getelementptr inbounds nuw i64, ptr %194, i64 %204
  %206 = tail call i64 @llvm.umin.i64(i64 %198, i64 7)
  %207 = mul nuw nsw i64 %206, %201
  %208 = add nuw nsw i64 %207, 2
  br label %209

209:
  %210 = phi i64 [ %218, %217 ], [ 0, %170 ]
  %211 = getelementptr inbounds nuw i64, ptr %191, i64 %210
  %212 = load i64, ptr %211, align 8
  %213 = getelementptr inbounds nuw i64, ptr %205, i64 %210
  %214 = load i64, ptr %213, align 8
  %215 = icmp ugt i64 %212, %214
  br i1 %215, label %216, label %217

216:
  store i64 %212, ptr %213, align 8
  br label %217

217:
  %218 = add nuw nsw i64 %210, 1
  %219 = icmp eq i64 %210, %208
  br i1 %219, label %220, label %209

220:
  %221 = getelementptr inbounds nuw i8, ptr %192, i64 128
  %222 = load ptr, ptr %221, align 8
  %223 = icmp eq ptr %222, null
  br i1 %223, label %245, label %224

224:
  %225 = shl nuw nsw i64 %196, 3
  %226 = or disjoint i64 %225, 4
  %227 = mul i64 %226, %201
  %228 = getelementptr inbounds nuw i64, ptr %222, i64 %227
  %229 = getelementptr inbounds nuw i8, ptr %191, i64 24
  %230 = mul nuw nsw i64 %201, 56
  %231 = getelementptr inbounds nuw i8, ptr %229, i64 %230
  %232 = shl nuw nsw i64 %201, 2
  %233 = icmp eq i32 %200, 0
  br i1 %233, label %245, label %234

234:
  %235 = phi i64 [ %243, %242 ], [ 0, %224 ]
  %236 = getelementptr inbounds nuw i64, ptr %231, i64 %235
  %237 = load i64, ptr %236, align 8
  %238 = getelementptr inbounds nuw i64, ptr %228, i64 %235
  %239 = load i64, ptr %238, align 8
  %240 = icmp ugt i64 %237, %239
  br i1 %240, label %241, label %242

241:
  store i64 %237, ptr %238, align 8
  br label %242

242:
  %243 = add nuw nsw i64 %235, 1
  %244 = icmp eq i64 %243, %232
  br i1 %244, label %245, label %234

245:
  %246 = phi i64 [ %49, %46 ], [ %105, %113 ], [ %49, %242 ], [ %49, %115 ], [ %49, %118 ], [ %49, %123 ], [ %49, %220 ], [ %49, %224 ], [ %49, %167 ]
  %247 = phi i32 [ %48, %46 ], [ %104, %113 ], [ %48, %242 ], [ %48, %115 ], [ %48, %118 ], [ %48, %123 ], [ %48, %220 ], [ %48, %224 ], [ %48, %167 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  %248 = add nuw nsw i64 %47, 1
  %249 = icmp eq i64 %248, 32
  br i1 %249, label %36, label %46

250:
  %251 = xor i32 %18, -1
  %252 = getelementptr inbounds nuw i8, ptr %0, i64 2088
  %253 = and i32 %42, %251
  store i32 %253, ptr %252, align 8
  br label %298

254:
  %255 = and i64 %246, 4294967295
  %256 = getelementptr inbounds nuw i8, ptr %0, i64 2096
  store i64 %255, ptr %256, align 8
  %257 = getelementptr inbounds nuw i8, ptr %0, i64 2092
  store i32 %20, ptr %257, align 4
  %258 = getelementptr inbounds nuw i8, ptr %0, i64 160
  store i32 %2, ptr %258, align 8
  %259 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %260 = load i64, ptr %259, align 8
  %261 = trunc i64 %260 to i32
  %262 = icmp eq i32 %261, 0
  br i1 %262, label %296, label %263

263:
  %264 = getelementptr inbounds nuw i8, ptr %0, i64 1560
  br label %265

265:
  %266 = phi i64 [ 0, %263 ], [ %283, %281 ]
  %267 = phi ptr [ null, %263 ], [ %282, %281 ]
  %268 = getelementptr inbounds nuw %struct.Lanes, ptr %264, i64 %266
  %269 = getelementptr inbounds nuw i8, ptr %268, i64 8
  %270 = load i32, ptr %269, align 4
  switch i32 %270, label %281 [
    i32 0, label %271
    i32 4, label %274
  ]

271:
  %272 = icmp eq ptr %267, null
  %273 = select i1 %272, ptr %268, ptr %267
  br label %281

274:
  %275 = load i32, ptr %268, align 4
  %276 = icmp eq i32 %275, %2
  br i1 %276, label %277, label %281

277:
  %278 = getelementptr inbounds nuw i8, ptr %268, i64 12
  %279 = load i32, ptr %278, align 4
  %280 = icmp eq i32 %279, 0
  br i1 %280, label %285, label %281

281:
  %282 = phi ptr [ %273, %271 ], [ %267, %265 ], [ %267, %274 ], [ %267, %277 ]
  %283 = add nuw nsw i64 %266, 1
  %284 = icmp eq i64 %283, 32
  br i1 %284, label %289, label %265

285:
  %286 = getelementptr inbounds nuw i8, ptr %268, i64 4
  %287 = load i32, ptr %286, align 4
  %288 = or i32 %287, %261
  store i32 %288, ptr %286, align 4
  br label %296

289:
  store i32 %2, ptr %282, align 4
  %290 = getelementptr inbounds nuw i8, ptr %282, i64 4
  store i32 %261, ptr %290, align 4
  %291 = getelementptr inbounds nuw i8, ptr %282, i64 8
  store i32 4, ptr %291, align 4
  %292 = getelementptr inbounds nuw i8, ptr %282, i64 12
  store i32 0, ptr %292, align 4
  %293 = getelementptr inbounds nuw i8, ptr %0, i64 1536
  %294 = load i32, ptr %293, align 8
  %295 = add i32 %294, 1
  store i32 %295, ptr %293, align 8
  br label %296

296:
  %297 = tail call i32 @choose(ptr noundef nonnull %0, ptr noundef nonnull %9)
  br label %298

298:
  %299 = phi i32 [ -1, %250 ], [ %297, %296 ]
  ret i32 %299
}

define noundef nonnull ptr @warp_of(ptr noundef captures(ret: address, provenance) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %3 = load i32, ptr %2, align 8
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %5, label %10

5:
  store i32 1, ptr %2, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %7 = load i64, ptr %6, align 8
  %8 = trunc i64 %7 to i32
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %8, ptr %9, align 4
  br label %10

10:
  ret ptr %2
}

define void @receive_fenced(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1) local_unnamed_addr {
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 128
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, null
  br i1 %6, label %34, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %9 = load i32, ptr %8, align 4
  %10 = zext i32 %9 to i64
  %11 = shl nuw nsw i64 %10, 3
  %12 = or disjoint i64 %11, 4
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %14 = load i32, ptr %13, align 8
  %15 = zext i32 %14 to i64
  %16 = mul i64 %12, %15
  %17 = getelementptr inbounds nuw i64, ptr %5, i64 %16
  %18 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %19 = mul nuw nsw i64 %15, 56
  %20 = getelementptr inbounds nuw i8, ptr %18, i64 %19
  %21 = shl nuw nsw i64 %15, 2
  %22 = icmp eq i32 %14, 0
  br i1 %22, label %34, label %23

23:
  %24 = phi i64 [ %32, %31 ], [ 0, %7 ]
  %25 = getelementptr inbounds nuw i64, ptr %20, i64 %24
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds nuw i64, ptr %17, i64 %24
  %28 = load i64, ptr %27, align 8
  %29 = icmp ugt i64 %26, %28
  br i1 %29, label %30, label %31

30:
  store i64 %26, ptr %27, align 8
  br label %31

31:
  %32 = add nuw nsw i64 %24, 1
  %33 = icmp eq i64 %32, %21
  br i1 %33, label %34, label %23

34:
  ret void
}

define void @lm_learn(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1) local_unnamed_addr {
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 120
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %7 = load i32, ptr %6, align 4
  %8 = zext i32 %7 to i64
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 112
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %12 = load i32, ptr %11, align 8
  %13 = zext i32 %12 to i64
  %14 = mul i64 %10, %13
  %15 = add i64 %14, 3
  %16 = mul i64 %15, %8
  %17 = getelementptr inbounds nuw i64, ptr %5, i64 %16
  %18 = tail call i64 @llvm.umin.i64(i64 %10, i64 7)
  %19 = mul nuw nsw i64 %18, %13
  %20 = add nuw nsw i64 %19, 2
  br label %21

21:
  %22 = phi i64 [ %30, %29 ], [ 0, %2 ]
  %23 = getelementptr inbounds nuw i64, ptr %1, i64 %22
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds nuw i64, ptr %17, i64 %22
  %26 = load i64, ptr %25, align 8
  %27 = icmp ugt i64 %24, %26
  br i1 %27, label %28, label %29

28:
  store i64 %24, ptr %25, align 8
  br label %29

29:
  %30 = add nuw nsw i64 %22, 1
  %31 = icmp eq i64 %22, %20
  br i1 %31, label %32, label %21

32:
  %33 = getelementptr inbounds nuw i8, ptr %3, i64 128
  %34 = load ptr, ptr %33, align 8
  %35 = icmp eq ptr %34, null
  br i1 %35, label %57, label %36

36:
  %37 = shl nuw nsw i64 %8, 3
  %38 = or disjoint i64 %37, 4
  %39 = mul i64 %38, %13
  %40 = getelementptr inbounds nuw i64, ptr %34, i64 %39
  %41 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %42 = mul nuw nsw i64 %13, 56
  %43 = getelementptr inbounds nuw i8, ptr %41, i64 %42
  %44 = shl nuw nsw i64 %13, 2
  %45 = icmp eq i32 %12, 0
  br i1 %45, label %57, label %46

46:
  %47 = phi i64 [ %55, %54 ], [ 0, %36 ]
  %48 = getelementptr inbounds nuw i64, ptr %43, i64 %47
  %49 = load i64, ptr %48, align 8
  %50 = getelementptr inbounds nuw i64, ptr %40, i64 %47
  %51 = load i64, ptr %50, align 8
  %52 = icmp ugt i64 %49, %51
  br i1 %52, label %53, label %54

53:
  store i64 %49, ptr %50, align 8
  br label %54

54:
  %55 = add nuw nsw i64 %47, 1
  %56 = icmp eq i64 %55, %44
  br i1 %56, label %57, label %46

57:
  ret void
}

define void @put(ptr noundef captures(address) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = icmp eq i32 %2, 0
  br i1 %6, label %43, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 32
  br label %9

9:
  %10 = phi i64 [ 0, %7 ], [ %30, %28 ]
  %11 = phi ptr [ null, %7 ], [ %29, %28 ]
  %12 = getelementptr inbounds nuw %struct.Lanes, ptr %8, i64 %10
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %14 = load i32, ptr %13, align 4
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %19

16:
  %17 = icmp eq ptr %11, null
  %18 = select i1 %17, ptr %12, ptr %11
  br label %28

19:
  %20 = icmp eq i32 %14, %3
  br i1 %20, label %21, label %28

21:
  %22 = load i32, ptr %12, align 4
  %23 = icmp eq i32 %22, %1
  br i1 %23, label %24, label %28

24:
  %25 = getelementptr inbounds nuw i8, ptr %12, i64 12
  %26 = load i32, ptr %25, align 4
  %27 = icmp eq i32 %26, %4
  br i1 %27, label %32, label %28

28:
  %29 = phi ptr [ %18, %16 ], [ %11, %19 ], [ %11, %21 ], [ %11, %24 ]
  %30 = add nuw nsw i64 %10, 1
  %31 = icmp eq i64 %30, 32
  br i1 %31, label %36, label %9

32:
  %33 = getelementptr inbounds nuw i8, ptr %12, i64 4
  %34 = load i32, ptr %33, align 4
  %35 = or i32 %34, %2
  store i32 %35, ptr %33, align 4
  br label %43

36:
  store i32 %1, ptr %29, align 4
  %37 = getelementptr inbounds nuw i8, ptr %29, i64 4
  store i32 %2, ptr %37, align 4
  %38 = getelementptr inbounds nuw i8, ptr %29, i64 8
  store i32 %3, ptr %38, align 4
  %39 = getelementptr inbounds nuw i8, ptr %29, i64 12
  store i32 %4, ptr %39, align 4
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %41 = load i32, ptr %40, align 8
  %42 = add i32 %41, 1
  store i32 %42, ptr %40, align 8
  br label %43

43:
  ret void
}

define range(i32 0, 9) i32 @choose(ptr noundef captures(address_is_null) %0, ptr noundef captures(address) %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 28
  br label %9

7:
  %8 = icmp eq ptr %24, null
  br i1 %8, label %39, label %30

9:
  %10 = phi i64 [ 0, %2 ], [ %28, %27 ]
  %11 = phi ptr [ null, %2 ], [ %29, %27 ]
  %12 = getelementptr inbounds nuw %struct.Lanes, ptr %3, i64 %10
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %14 = load i32, ptr %13, align 4
  %15 = icmp eq i32 %14, 1
  br i1 %15, label %16, label %23

16:
  %17 = icmp eq ptr %11, null
  br i1 %17, label %22, label %18

18:
  %19 = load i32, ptr %12, align 4
  %20 = load i32, ptr %11, align 4
  %21 = icmp ult i32 %19, %20
  br i1 %21, label %22, label %23

22:
  br label %23

23:
  %24 = phi ptr [ %12, %22 ], [ %11, %18 ], [ %11, %9 ]
  %25 = add nuw nsw i64 %10, 1
  %26 = icmp eq i64 %25, 32
  br i1 %26, label %7, label %27

27:
  %28 = phi i64 [ %25, %23 ], [ 0, %79 ]
  %29 = phi ptr [ %24, %23 ], [ null, %79 ]
  br label %9

30:
  %31 = getelementptr inbounds nuw i8, ptr %24, i64 4
  %32 = load i32, ptr %31, align 4
  %33 = zext i32 %32 to i64
  store i64 %33, ptr %4, align 8
  %34 = load i32, ptr %24, align 4
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 160
  store i32 %34, ptr %35, align 8
  %36 = getelementptr inbounds nuw i8, ptr %24, i64 8
  store i32 0, ptr %36, align 4
  %37 = load i32, ptr %5, align 8
  %38 = add i32 %37, -1
  store i32 %38, ptr %5, align 8
  br label %82

39:
  store i64 0, ptr %4, align 8
  %40 = load i32, ptr %5, align 8
  %41 = icmp eq i32 %40, 0
  br i1 %41, label %82, label %45

42:
  %43 = icmp eq i32 %55, 0
  %44 = icmp eq i32 %53, 0
  br i1 %43, label %65, label %58

45:
  %46 = phi i64 [ %56, %45 ], [ 0, %39 ]
  %47 = phi i32 [ %55, %45 ], [ 0, %39 ]
  %48 = phi i32 [ %53, %45 ], [ 0, %39 ]
  %49 = getelementptr inbounds nuw %struct.Lanes, ptr %1, i64 %46
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 40
  %51 = load i32, ptr %50, align 8
  %52 = icmp eq i32 %51, 2
  %53 = select i1 %52, i32 1, i32 %48
  %54 = icmp eq i32 %51, 4
  %55 = select i1 %54, i32 1, i32 %47
  %56 = add nuw nsw i64 %46, 1
  %57 = icmp eq i64 %56, 32
  br i1 %57, label %42, label %45

58:
  br i1 %44, label %62, label %59

59:
  %60 = load i32, ptr %6, align 4
  %61 = icmp ugt i32 %60, 32
  br i1 %61, label %62, label %71

62:
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 196
  store i32 17, ptr %63, align 4
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 244
  store i32 1, ptr %64, align 4
  br label %82

65:
  br i1 %44, label %66, label %68

66:
  %67 = tail call i32 @arrive_whole(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %82

68:
  %69 = load i32, ptr %6, align 4
  %70 = icmp ugt i32 %69, 32
  br i1 %70, label %82, label %71

71:
  br label %72

72:
  %73 = phi i64 [ %80, %79 ], [ 0, %71 ]
  %74 = getelementptr inbounds nuw %struct.Lanes, ptr %1, i64 %73
  %75 = getelementptr inbounds nuw i8, ptr %74, i64 40
  %76 = load i32, ptr %75, align 8
  %77 = icmp eq i32 %76, 2
  br i1 %77, label %78, label %79

78:
  store i32 1, ptr %75, align 8
  br label %79

79:
  %80 = add nuw nsw i64 %73, 1
  %81 = icmp eq i64 %80, 32
  br i1 %81, label %27, label %72

82:
  %83 = phi i32 [ 0, %30 ], [ %67, %66 ], [ 2, %62 ], [ 8, %68 ], [ 1, %39 ]
  ret i32 %83
}

define range(i32 0, 2) i32 @lm_mbarrier_awaited(ptr noundef captures(none) %0, ptr noundef writeonly captures(none) %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %4 = load i32, ptr %3, align 8
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %6, label %11

6:
  store i32 1, ptr %3, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %8 = load i64, ptr %7, align 8
  %9 = trunc i64 %8 to i32
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %9, ptr %10, align 4
  br label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 2096
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds nuw i8, ptr %13, i64 24
  %17 = load i64, ptr %16, align 8
  %18 = sub i64 %15, %17
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 164
  %20 = load i32, ptr %19, align 4
  %21 = icmp eq i32 %20, 2
  br i1 %21, label %22, label %65

22:
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 196
  %24 = load i32, ptr %23, align 4
  %25 = icmp eq i32 %24, 17
  br i1 %25, label %26, label %65

26:
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %28 = load i64, ptr %27, align 8
  %29 = icmp ult i64 %18, %28
  br i1 %29, label %30, label %65

30:
  %31 = getelementptr inbounds nuw i8, ptr %13, i64 912
  %32 = load ptr, ptr %31, align 8
  %33 = load ptr, ptr %32, align 8
  %34 = lshr i64 %18, 3
  %35 = getelementptr inbounds nuw i16, ptr %33, i64 %34
  %36 = load i16, ptr %35, align 2
  %37 = icmp eq i16 %36, 0
  br i1 %37, label %65, label %38

38:
  %39 = zext i16 %36 to i64
  %40 = getelementptr inbounds nuw i8, ptr %32, i64 8
  %41 = load ptr, ptr %40, align 8
  %42 = add nuw nsw i64 %39, 4294967295
  %43 = and i64 %42, 4294967295
  %44 = getelementptr inbounds nuw %struct.Mbarrier, ptr %41, i64 %43
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 2092
  %46 = load i32, ptr %45, align 4
  %47 = zext i32 %46 to i64
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 2104
  %49 = load i64, ptr %48, align 8
  %50 = load i64, ptr %44, align 8
  %51 = getelementptr inbounds nuw i8, ptr %44, i64 20
  %52 = load i32, ptr %51, align 4
  %53 = zext i32 %52 to i64
  %54 = getelementptr inbounds nuw i8, ptr %44, i64 16
  %55 = load i32, ptr %54, align 8
  %56 = zext i32 %55 to i64
  %57 = getelementptr inbounds nuw i8, ptr %44, i64 8
  %58 = load i64, ptr %57, align 8
  store i64 %15, ptr %1, align 8
  %59 = getelementptr inbounds nuw i8, ptr %1, i64 8
  store i64 %47, ptr %59, align 8
  %60 = getelementptr inbounds nuw i8, ptr %1, i64 16
  store i64 %49, ptr %60, align 8
  %61 = getelementptr inbounds nuw i8, ptr %1, i64 24
  store i64 %50, ptr %61, align 8
  %62 = getelementptr inbounds nuw i8, ptr %1, i64 32
  store i64 %53, ptr %62, align 8
  %63 = getelementptr inbounds nuw i8, ptr %1, i64 40
  store i64 %56, ptr %63, align 8
  %64 = getelementptr inbounds nuw i8, ptr %1, i64 48
  store i64 %58, ptr %64, align 8
  br label %65

65:
  %66 = phi i32 [ 0, %11 ], [ 0, %26 ], [ 0, %22 ], [ 1, %38 ], [ 0, %30 ]
  ret i32 %66
}

define void @lm_load(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7) local_unnamed_addr {
  %9 = alloca %struct.Memory, align 8
  %10 = alloca %struct.Range, align 8
  %11 = alloca %struct.Access, align 8
  %12 = alloca i64, align 8
  %13 = alloca i64, align 8
  %14 = alloca %struct.Range, align 8
  %15 = icmp eq i64 %3, 0
  br i1 %15, label %227, label %16

16:
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  %17 = or i32 %7, 1
  call void @begin_access(ptr dead_on_unwind nonnull writable sret(%struct.Access) align 8 %11, ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %17, i32 noundef %5)
  %18 = icmp eq i32 %2, 2
  br i1 %18, label %22, label %19

19:
  %20 = lshr i64 %3, 1
  %21 = and i64 %20, %3
  br label %133

22:
  %23 = load ptr, ptr %11, align 8
  %24 = lshr i64 %3, 1
  %25 = and i64 %24, %3
  %26 = icmp eq i64 %25, 0
  br i1 %26, label %46, label %27

27:
  %28 = getelementptr inbounds nuw i8, ptr %23, i64 12352
  br label %29

29:
  %30 = phi i64 [ 0, %27 ], [ %41, %29 ]
  %31 = phi i64 [ 0, %27 ], [ %40, %29 ]
  %32 = getelementptr inbounds nuw i64, ptr %28, i64 %30
  %33 = load <8 x i64>, ptr %32, align 8
  %34 = getelementptr inbounds nuw i8, ptr %32, i64 8
  %35 = load <8 x i64>, ptr %34, align 8
  %36 = icmp eq <8 x i64> %35, %33
  %37 = bitcast <8 x i1> %36 to i8
  %38 = zext i8 %37 to i64
  %39 = shl nuw i64 %38, %30
  %40 = or i64 %39, %31
  %41 = add nuw nsw i64 %30, 8
  %42 = icmp samesign ult i64 %30, 56
  br i1 %42, label %29, label %43

43:
  %44 = and i64 %40, %25
  %45 = icmp eq i64 %44, %25
  br label %46

46:
  %47 = phi i1 [ true, %22 ], [ %45, %43 ]
  %48 = getelementptr inbounds nuw i8, ptr %23, i64 12352
  %49 = tail call range(i64 0, 65) i64 @llvm.cttz.i64(i64 range(i64 1, 0) %3, i1 true)
  %50 = getelementptr inbounds nuw i64, ptr %48, i64 %49
  %51 = load i64, ptr %50, align 8
  %52 = getelementptr inbounds nuw i8, ptr %23, i64 16
  %53 = load ptr, ptr %52, align 8
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 108
  %55 = load i32, ptr %54, align 4
  %56 = zext i32 %55 to i64
  %57 = getelementptr inbounds nuw i8, ptr %53, i64 128
  %58 = load i64, ptr %57, align 8
  %59 = icmp eq i64 %58, 0
  br i1 %59, label %60, label %133

60:
  %61 = and i64 %51, 3
  %62 = icmp eq i64 %61, 0
  %63 = select i1 %47, i1 %62, i1 false
  %64 = and i32 %4, 3
  %65 = icmp eq i32 %64, 0
  %66 = and i1 %65, %63
  br i1 %66, label %67, label %133

67:
  %68 = icmp ugt i32 %55, 63
  %69 = shl nsw i64 -1, %56
  %70 = xor i64 %69, -1
  %71 = select i1 %68, i64 -1, i64 %70
  %72 = icmp eq i64 %3, %71
  br i1 %72, label %73, label %133

73:
  %74 = zext i32 %4 to i64
  %75 = add i64 %51, %74
  %76 = getelementptr inbounds nuw i8, ptr %23, i64 136
  %77 = load i64, ptr %76, align 8
  %78 = icmp ugt i64 %75, %77
  br i1 %78, label %133, label %79

79:
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  %80 = getelementptr inbounds nuw i8, ptr %23, i64 40
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(96) %9, ptr noundef nonnull align 8 dereferenceable(96) %80, i64 96, i1 false)
  %81 = getelementptr inbounds nuw i8, ptr %9, i64 84
  store i32 1, ptr %81, align 4
  %82 = icmp eq i32 %4, 0
  br i1 %82, label %132, label %83

83:
  %84 = lshr exact i32 %4, 2
  %85 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %86 = shl i32 %55, 2
  %87 = getelementptr inbounds nuw i8, ptr %10, i64 12
  %88 = getelementptr inbounds nuw i8, ptr %10, i64 16
  %89 = getelementptr inbounds nuw i8, ptr %10, i64 20
  %90 = getelementptr inbounds nuw i8, ptr %10, i64 24
  %91 = getelementptr inbounds nuw i8, ptr %23, i64 12864
  %92 = getelementptr inbounds nuw i8, ptr %10, i64 32
  %93 = lshr exact i64 %51, 2
  %94 = shl nuw nsw i64 %56, 2
  %95 = getelementptr inbounds nuw i8, ptr %9, i64 56
  %96 = getelementptr inbounds nuw i8, ptr %9, i64 80
  %97 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %98 = zext i32 %86 to i64
  %99 = zext nneg i32 %84 to i64
  br label %100

100:
  %101 = phi i64 [ 0, %83 ], [ %130, %129 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  store i64 %51, ptr %10, align 8
  store i32 %86, ptr %85, align 8
  store i32 4, ptr %87, align 4
  store i32 0, ptr %88, align 8
  store i32 0, ptr %89, align 4
  %102 = trunc nuw nsw i64 %101 to i32
  %103 = add i32 %6, %102
  %104 = zext i32 %103 to i64
  %105 = getelementptr inbounds nuw [64 x i32], ptr %91, i64 %104
  store ptr %105, ptr %90, align 8
  %106 = add nuw nsw i64 %101, %93
  %107 = mul i64 %106, %94
  %108 = lshr i64 %107, 12
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %92, i8 0, i64 24, i1 false)
  %109 = load ptr, ptr %95, align 8
  %110 = getelementptr inbounds nuw i32, ptr %109, i64 %108
  %111 = load i32, ptr %110, align 4
  %112 = lshr i32 %111, 4
  %113 = load i32, ptr %96, align 8
  %114 = icmp ne i32 %112, %113
  %115 = and i32 %111, 4
  %116 = icmp eq i32 %115, 0
  %117 = or i1 %114, %116
  br i1 %117, label %118, label %119

118:
  call void @touch_page(ptr noundef %23, ptr noundef nonnull %80, i64 noundef %108, i32 noundef 1)
  br label %119

119:
  %120 = load i32, ptr %81, align 4
  %121 = icmp eq i32 %120, 2
  br i1 %121, label %122, label %123

122:
  call void @private_move(ptr noundef nonnull readonly %11, ptr noundef nonnull readonly %10, ptr noundef nonnull %9, i64 noundef %107, i32 noundef 0)
  br label %129

123:
  %124 = load ptr, ptr %97, align 8
  %125 = getelementptr inbounds nuw i8, ptr %124, i64 %107
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %105, ptr readonly align 1 %125, i64 %98, i1 false)
  %126 = call fastcc i32 @defined_at(ptr noundef nonnull %9, i64 noundef %107, i64 noundef %98)
  %127 = icmp eq i32 %126, 0
  br i1 %127, label %128, label %129

128:
  call fastcc void @load_undefined(ptr noundef nonnull readonly %11, ptr noundef nonnull readonly %10, ptr noundef nonnull %9, i64 noundef %107)
  br label %129

129:
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  %130 = add nuw nsw i64 %101, 1
  %131 = icmp eq i64 %130, %99
  br i1 %131, label %132, label %100

132:
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  br label %226

133:
  %134 = phi i64 [ %21, %19 ], [ %25, %46 ], [ %25, %60 ], [ %25, %67 ], [ %25, %73 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  call void @llvm.lifetime.start.p0(ptr nonnull %13)
  store i64 0, ptr %12, align 8
  store i64 0, ptr %13, align 8
  %135 = icmp eq i64 %134, 0
  br i1 %135, label %177, label %136

136:
  %137 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %138 = zext i32 %4 to i64
  %139 = insertelement <8 x i64> poison, i64 %138, i64 0
  %140 = shufflevector <8 x i64> %139, <8 x i64> poison, <8 x i32> zeroinitializer
  br label %141

141:
  %142 = phi i64 [ 0, %136 ], [ %154, %141 ]
  %143 = phi i64 [ 0, %136 ], [ %153, %141 ]
  %144 = getelementptr inbounds nuw i64, ptr %137, i64 %142
  %145 = load <8 x i64>, ptr %144, align 8
  %146 = getelementptr inbounds nuw i8, ptr %144, i64 8
  %147 = load <8 x i64>, ptr %146, align 8
  %148 = add <8 x i64> %145, %140
  %149 = icmp eq <8 x i64> %147, %148
  %150 = bitcast <8 x i1> %149 to i8
  %151 = zext i8 %150 to i64
  %152 = shl nuw i64 %151, %142
  %153 = or i64 %152, %143
  %154 = add nuw nsw i64 %142, 8
  %155 = icmp samesign ult i64 %142, 56
  br i1 %155, label %141, label %156

156:
  %157 = and i64 %153, %134
  store i64 %157, ptr %12, align 8
  %158 = icmp ne i64 %157, %134
  %159 = icmp ne i32 %2, 2
  %160 = and i1 %159, %158
  br i1 %160, label %161, label %177

161:
  %162 = phi i64 [ %173, %161 ], [ 0, %156 ]
  %163 = phi i64 [ %172, %161 ], [ 0, %156 ]
  %164 = getelementptr inbounds nuw i64, ptr %137, i64 %162
  %165 = load <8 x i64>, ptr %164, align 8
  %166 = getelementptr inbounds nuw i8, ptr %164, i64 8
  %167 = load <8 x i64>, ptr %166, align 8
  %168 = icmp eq <8 x i64> %167, %165
  %169 = bitcast <8 x i1> %168 to i8
  %170 = zext i8 %169 to i64
  %171 = shl nuw i64 %170, %162
  %172 = or i64 %171, %163
  %173 = add nuw nsw i64 %162, 8
  %174 = icmp samesign ult i64 %162, 56
  br i1 %174, label %161, label %175

175:
  %176 = and i64 %172, %134
  store i64 %176, ptr %13, align 8
  br label %177

177:
  %178 = phi i64 [ 0, %133 ], [ 0, %156 ], [ %176, %175 ]
  %179 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %180 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %181 = getelementptr inbounds nuw i8, ptr %14, i64 12
  %182 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %183 = getelementptr inbounds nuw i8, ptr %14, i64 20
  %184 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %185

185:
  %186 = phi i64 [ %3, %177 ], [ %219, %201 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %14)
  %187 = call range(i64 0, 65) i64 @llvm.cttz.i64(i64 %186, i1 true)
  %188 = shl nuw i64 1, %187
  %189 = and i64 %178, %188
  %190 = icmp eq i64 %189, 0
  %191 = getelementptr inbounds nuw i64, ptr %179, i64 %187
  %192 = load i64, ptr %191, align 8
  br i1 %190, label %201, label %193

193:
  %194 = lshr i64 %192, 32
  %195 = load ptr, ptr %184, align 8
  %196 = getelementptr inbounds nuw i8, ptr %195, i64 120
  %197 = load i64, ptr %196, align 8
  %198 = icmp ne i64 %194, %197
  %199 = freeze i1 %198
  %200 = select i1 %199, ptr %13, ptr %12
  br label %201

201:
  %202 = phi i1 [ %199, %193 ], [ false, %185 ]
  %203 = phi ptr [ %200, %193 ], [ %12, %185 ]
  %204 = load i64, ptr %203, align 8
  %205 = lshr i64 %204, %187
  %206 = icmp eq i64 %205, -1
  %207 = xor i64 %205, -1
  %208 = call range(i64 0, 65) i64 @llvm.cttz.i64(i64 %207, i1 true)
  %209 = trunc nuw nsw i64 %208 to i32
  %210 = add nuw nsw i32 %209, 1
  %211 = select i1 %206, i32 64, i32 %210
  %212 = icmp samesign ugt i32 %211, 63
  %213 = zext nneg i32 %211 to i64
  %214 = shl nsw i64 -1, %213
  %215 = xor i64 %214, -1
  %216 = select i1 %212, i64 -1, i64 %215
  %217 = shl i64 %216, %187
  %218 = xor i64 %217, -1
  %219 = and i64 %186, %218
  store i64 %192, ptr %14, align 8
  %220 = select i1 %202, i32 1, i32 %211
  %221 = mul i32 %220, %4
  %222 = select i1 %202, i32 0, i32 %4
  store i32 %221, ptr %180, align 8
  %223 = trunc nuw nsw i64 %187 to i32
  store i32 %222, ptr %181, align 4
  store i32 %223, ptr %182, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(36) %183, i8 0, i64 36, i1 false)
  call fastcc void @load_range(ptr noundef %11, ptr noundef %14, i32 noundef %211, i32 noundef %4, i32 noundef %6)
  call void @llvm.lifetime.end.p0(ptr nonnull %14)
  %224 = icmp eq i64 %219, 0
  br i1 %224, label %225, label %185

225:
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  call void @llvm.lifetime.end.p0(ptr nonnull %13)
  br label %226

226:
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  br label %227

227:
  ret void
}

define internal fastcc void @load_range(ptr noundef nonnull %0, ptr noundef nonnull captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) unnamed_addr {
  %6 = alloca %struct.Buffer, align 4
  %7 = load ptr, ptr %0, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 128
  %11 = load i64, ptr %10, align 8
  %12 = icmp eq i64 %11, 0
  %13 = icmp eq i32 %3, 4
  %14 = and i1 %13, %12
  br i1 %14, label %15, label %30

15:
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %17 = load i32, ptr %16, align 4
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %19, label %20

19:
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  br label %36

20:
  %21 = getelementptr inbounds nuw i8, ptr %7, i64 12864
  %22 = zext i32 %4 to i64
  %23 = getelementptr inbounds nuw [64 x i32], ptr %21, i64 %22
  %24 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %25 = load i32, ptr %24, align 8
  %26 = zext i32 %25 to i64
  %27 = getelementptr inbounds nuw i32, ptr %23, i64 %26
  %28 = getelementptr inbounds nuw i8, ptr %1, i64 24
  store ptr %27, ptr %28, align 8
  %29 = tail call i32 @access(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %227

30:
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 24
  store ptr %6, ptr %31, align 8
  br i1 %12, label %40, label %32

32:
  %33 = getelementptr inbounds nuw i8, ptr %6, i64 2048
  %34 = getelementptr inbounds nuw i8, ptr %1, i64 32
  store ptr %33, ptr %34, align 8
  %35 = getelementptr inbounds nuw i8, ptr %6, i64 4096
  br label %36

36:
  %37 = phi i64 [ 24, %19 ], [ 40, %32 ]
  %38 = phi ptr [ %6, %19 ], [ %35, %32 ]
  %39 = getelementptr inbounds nuw i8, ptr %1, i64 %37
  store ptr %38, ptr %39, align 8
  br label %40

40:
  %41 = call i32 @access(ptr noundef nonnull %0, ptr noundef nonnull %1)
  %42 = getelementptr inbounds nuw i8, ptr %7, i64 12864
  %43 = zext i32 %4 to i64
  %44 = getelementptr inbounds nuw [64 x i32], ptr %42, i64 %43
  %45 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %46 = load i32, ptr %45, align 8
  %47 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %48 = load i32, ptr %47, align 4
  %49 = icmp ult i32 %3, 4
  br i1 %49, label %55, label %50

50:
  %51 = lshr i32 %3, 2
  %52 = icmp eq i32 %2, 0
  %53 = zext nneg i32 %51 to i64
  %54 = zext i32 %2 to i64
  br label %86

55:
  %56 = icmp eq i32 %2, 0
  br i1 %56, label %226, label %57

57:
  %58 = zext i32 %2 to i64
  br label %59

59:
  %60 = phi i64 [ 0, %57 ], [ %84, %79 ]
  %61 = trunc nuw i64 %60 to i32
  %62 = mul i32 %48, %61
  %63 = zext i32 %62 to i64
  %64 = getelementptr inbounds nuw i8, ptr %6, i64 %63
  switch i32 %3, label %71 [
    i32 2, label %65
    i32 1, label %68
  ]

65:
  %66 = load i16, ptr %64, align 1
  %67 = zext i16 %66 to i32
  br label %79

68:
  %69 = load i8, ptr %64, align 1
  %70 = zext i8 %69 to i32
  br label %79

71:
  %72 = load i16, ptr %64, align 1
  %73 = zext i16 %72 to i32
  %74 = getelementptr inbounds nuw i8, ptr %64, i64 2
  %75 = load i8, ptr %74, align 1
  %76 = zext i8 %75 to i32
  %77 = shl nuw nsw i32 %76, 16
  %78 = or disjoint i32 %77, %73
  br label %79

79:
  %80 = phi i32 [ %78, %71 ], [ %67, %65 ], [ %70, %68 ]
  %81 = add i32 %46, %61
  %82 = zext i32 %81 to i64
  %83 = getelementptr inbounds nuw i32, ptr %44, i64 %82
  store i32 %80, ptr %83, align 4
  %84 = add nuw nsw i64 %60, 1
  %85 = icmp eq i64 %84, %58
  br i1 %85, label %107, label %59

86:
  %87 = phi i64 [ 0, %50 ], [ %93, %92 ]
  br i1 %52, label %92, label %88

88:
  %89 = getelementptr inbounds nuw [64 x i32], ptr %44, i64 %87
  %90 = shl nuw i64 %87, 2
  %91 = getelementptr inbounds nuw i8, ptr %6, i64 %90
  br label %95

92:
  %93 = add nuw nsw i64 %87, 1
  %94 = icmp eq i64 %93, %53
  br i1 %94, label %107, label %86

95:
  %96 = phi i64 [ 0, %88 ], [ %105, %95 ]
  %97 = trunc nuw i64 %96 to i32
  %98 = add i32 %46, %97
  %99 = zext i32 %98 to i64
  %100 = getelementptr inbounds nuw i32, ptr %89, i64 %99
  %101 = mul i32 %48, %97
  %102 = zext i32 %101 to i64
  %103 = getelementptr inbounds nuw i8, ptr %91, i64 %102
  %104 = load i32, ptr %103, align 1
  store i32 %104, ptr %100, align 4
  %105 = add nuw nsw i64 %96, 1
  %106 = icmp eq i64 %105, %54
  br i1 %106, label %92, label %95

107:
  %108 = load ptr, ptr %8, align 8
  %109 = getelementptr inbounds nuw i8, ptr %108, i64 128
  %110 = load i64, ptr %109, align 8
  %111 = icmp eq i64 %110, 0
  br i1 %111, label %226, label %112

112:
  %113 = getelementptr inbounds nuw i8, ptr %7, i64 47680
  %114 = getelementptr inbounds nuw [64 x i32], ptr %113, i64 %43
  %115 = getelementptr inbounds nuw i8, ptr %6, i64 2048
  %116 = load i32, ptr %45, align 8
  %117 = load i32, ptr %47, align 4
  br i1 %49, label %123, label %118

118:
  %119 = lshr i32 %3, 2
  %120 = icmp eq i32 %2, 0
  %121 = zext nneg i32 %119 to i64
  %122 = zext i32 %2 to i64
  br label %154

123:
  %124 = icmp eq i32 %2, 0
  br i1 %124, label %226, label %125

125:
  %126 = zext i32 %2 to i64
  br label %127

127:
  %128 = phi i64 [ 0, %125 ], [ %152, %147 ]
  %129 = trunc nuw i64 %128 to i32
  %130 = mul i32 %117, %129
  %131 = zext i32 %130 to i64
  %132 = getelementptr inbounds nuw i8, ptr %115, i64 %131
  switch i32 %3, label %139 [
    i32 2, label %133
    i32 1, label %136
  ]

133:
  %134 = load i16, ptr %132, align 1
  %135 = zext i16 %134 to i32
  br label %147

136:
  %137 = load i8, ptr %132, align 1
  %138 = zext i8 %137 to i32
  br label %147

139:
  %140 = load i16, ptr %132, align 1
  %141 = zext i16 %140 to i32
  %142 = getelementptr inbounds nuw i8, ptr %132, i64 2
  %143 = load i8, ptr %142, align 1
  %144 = zext i8 %143 to i32
  %145 = shl nuw nsw i32 %144, 16
  %146 = or disjoint i32 %145, %141
  br label %147

147:
  %148 = phi i32 [ %146, %139 ], [ %135, %133 ], [ %138, %136 ]
  %149 = add i32 %116, %129
  %150 = zext i32 %149 to i64
  %151 = getelementptr inbounds nuw i32, ptr %114, i64 %150
  store i32 %148, ptr %151, align 4
  %152 = add nuw nsw i64 %128, 1
  %153 = icmp eq i64 %152, %126
  br i1 %153, label %175, label %127

154:
  %155 = phi i64 [ 0, %118 ], [ %161, %160 ]
  br i1 %120, label %160, label %156

156:
  %157 = getelementptr inbounds nuw [64 x i32], ptr %114, i64 %155
  %158 = shl nuw i64 %155, 2
  %159 = getelementptr inbounds nuw i8, ptr %115, i64 %158
  br label %163

160:
  %161 = add nuw nsw i64 %155, 1
  %162 = icmp eq i64 %161, %121
  br i1 %162, label %175, label %154

163:
  %164 = phi i64 [ 0, %156 ], [ %173, %163 ]
  %165 = trunc nuw i64 %164 to i32
  %166 = add i32 %116, %165
  %167 = zext i32 %166 to i64
  %168 = getelementptr inbounds nuw i32, ptr %157, i64 %167
  %169 = mul i32 %117, %165
  %170 = zext i32 %169 to i64
  %171 = getelementptr inbounds nuw i8, ptr %159, i64 %170
  %172 = load i32, ptr %171, align 1
  store i32 %172, ptr %168, align 4
  %173 = add nuw nsw i64 %164, 1
  %174 = icmp eq i64 %173, %122
  br i1 %174, label %160, label %163

175:
  %176 = load i32, ptr %47, align 4
  %177 = icmp eq i32 %2, 0
  br i1 %177, label %226, label %178

178:
  %179 = icmp eq i32 %3, 0
  %180 = getelementptr inbounds nuw i8, ptr %6, i64 4096
  %181 = getelementptr inbounds nuw i8, ptr %7, i64 82496
  %182 = zext i32 %3 to i64
  br label %183

183:
  %184 = phi i32 [ 0, %178 ], [ %195, %194 ]
  br i1 %179, label %194, label %185

185:
  %186 = mul i32 %184, %176
  br label %187

187:
  %188 = phi i64 [ 0, %185 ], [ %189, %197 ]
  %189 = add nuw nsw i64 %188, 4
  %190 = trunc nuw i64 %189 to i32
  %191 = call i32 @llvm.umin.i32(i32 %3, i32 %190)
  %192 = zext i32 %191 to i64
  %193 = icmp samesign ult i64 %188, %192
  br i1 %193, label %209, label %197

194:
  %195 = add nuw i32 %184, 1
  %196 = icmp eq i32 %195, %2
  br i1 %196, label %226, label %183

197:
  %198 = phi i32 [ 0, %187 ], [ %221, %220 ]
  %199 = lshr exact i64 %188, 2
  %200 = trunc nuw nsw i64 %199 to i32
  %201 = add i32 %4, %200
  %202 = zext i32 %201 to i64
  %203 = getelementptr inbounds nuw [64 x i32], ptr %181, i64 %202
  %204 = load i32, ptr %45, align 8
  %205 = add i32 %204, %184
  %206 = zext i32 %205 to i64
  %207 = getelementptr inbounds nuw i32, ptr %203, i64 %206
  store i32 %198, ptr %207, align 4
  %208 = icmp samesign ult i64 %189, %182
  br i1 %208, label %187, label %194

209:
  %210 = phi i64 [ %222, %220 ], [ %188, %187 ]
  %211 = trunc nuw i64 %210 to i32
  %212 = add i32 %186, %211
  %213 = zext i32 %212 to i64
  %214 = getelementptr inbounds nuw i8, ptr %115, i64 %213
  %215 = load i8, ptr %214, align 1
  %216 = icmp eq i8 %215, 0
  br i1 %216, label %220, label %217

217:
  %218 = getelementptr inbounds nuw i32, ptr %180, i64 %213
  %219 = load i32, ptr %218, align 4
  br label %220

220:
  %221 = phi i32 [ %219, %217 ], [ 0, %209 ]
  %222 = add nuw nsw i64 %210, 1
  %223 = icmp samesign ult i64 %222, %192
  %224 = icmp eq i32 %221, 0
  %225 = select i1 %223, i1 %224, i1 false
  br i1 %225, label %209, label %197

226:
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  br label %227

227:
  ret void
}

define void @lm_load_uniform(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = alloca %struct.Access, align 8
  %8 = alloca %struct.Range, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @begin_access(ptr dead_on_unwind nonnull writable sret(%struct.Access) align 8 %7, ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef 1, i32 noundef %4)
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %10 = load i64, ptr %9, align 8
  store i64 %10, ptr %8, align 8
  %11 = getelementptr inbounds nuw i8, ptr %8, i64 8
  store i32 %3, ptr %11, align 8
  %12 = getelementptr inbounds nuw i8, ptr %8, i64 12
  store i32 %3, ptr %12, align 4
  %13 = getelementptr inbounds nuw i8, ptr %8, i64 16
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %13, i8 0, i64 40, i1 false)
  call fastcc void @load_range(ptr noundef %7, ptr noundef %8, i32 noundef 1, i32 noundef %3, i32 noundef %5)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  ret void
}

define void @lm_store(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7) local_unnamed_addr {
  %9 = alloca %struct.Buffer, align 4
  %10 = alloca %struct.Memory, align 8
  %11 = alloca %struct.Range, align 8
  %12 = alloca %struct.Access, align 8
  %13 = alloca %struct.Range, align 8
  %14 = icmp eq i64 %3, 0
  br i1 %14, label %327, label %15

15:
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  %16 = or i32 %7, 2
  call void @begin_access(ptr dead_on_unwind nonnull writable sret(%struct.Access) align 8 %12, ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %16, i32 noundef %5)
  %17 = icmp eq i32 %2, 2
  br i1 %17, label %21, label %18

18:
  %19 = lshr i64 %3, 1
  %20 = and i64 %19, %3
  br label %121

21:
  %22 = load ptr, ptr %12, align 8
  %23 = lshr i64 %3, 1
  %24 = and i64 %23, %3
  %25 = icmp eq i64 %24, 0
  br i1 %25, label %45, label %26

26:
  %27 = getelementptr inbounds nuw i8, ptr %22, i64 12352
  br label %28

28:
  %29 = phi i64 [ 0, %26 ], [ %40, %28 ]
  %30 = phi i64 [ 0, %26 ], [ %39, %28 ]
  %31 = getelementptr inbounds nuw i64, ptr %27, i64 %29
  %32 = load <8 x i64>, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %31, i64 8
  %34 = load <8 x i64>, ptr %33, align 8
  %35 = icmp eq <8 x i64> %34, %32
  %36 = bitcast <8 x i1> %35 to i8
  %37 = zext i8 %36 to i64
  %38 = shl nuw i64 %37, %29
  %39 = or i64 %38, %30
  %40 = add nuw nsw i64 %29, 8
  %41 = icmp samesign ult i64 %29, 56
  br i1 %41, label %28, label %42

42:
  %43 = and i64 %39, %24
  %44 = icmp eq i64 %43, %24
  br label %45

45:
  %46 = phi i1 [ true, %21 ], [ %44, %42 ]
  %47 = getelementptr inbounds nuw i8, ptr %22, i64 12352
  %48 = tail call range(i64 0, 65) i64 @llvm.cttz.i64(i64 range(i64 1, 0) %3, i1 true)
  %49 = getelementptr inbounds nuw i64, ptr %47, i64 %48
  %50 = load i64, ptr %49, align 8
  %51 = getelementptr inbounds nuw i8, ptr %22, i64 16
  %52 = load ptr, ptr %51, align 8
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 108
  %54 = load i32, ptr %53, align 4
  %55 = zext i32 %54 to i64
  %56 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %57 = load i32, ptr %56, align 8
  %58 = and i32 %57, 64
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %121, label %60

60:
  %61 = and i64 %50, 3
  %62 = icmp eq i64 %61, 0
  %63 = select i1 %46, i1 %62, i1 false
  %64 = and i32 %4, 3
  %65 = icmp eq i32 %64, 0
  %66 = and i1 %65, %63
  br i1 %66, label %67, label %121

67:
  %68 = icmp ugt i32 %54, 63
  %69 = shl nsw i64 -1, %55
  %70 = xor i64 %69, -1
  %71 = select i1 %68, i64 -1, i64 %70
  %72 = icmp eq i64 %3, %71
  br i1 %72, label %73, label %121

73:
  %74 = zext i32 %4 to i64
  %75 = add i64 %50, %74
  %76 = getelementptr inbounds nuw i8, ptr %22, i64 136
  %77 = load i64, ptr %76, align 8
  %78 = icmp ugt i64 %75, %77
  br i1 %78, label %121, label %79

79:
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  %80 = getelementptr inbounds nuw i8, ptr %22, i64 40
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(96) %10, ptr noundef nonnull align 8 dereferenceable(96) %80, i64 96, i1 false)
  %81 = getelementptr inbounds nuw i8, ptr %10, i64 84
  store i32 1, ptr %81, align 4
  %82 = icmp eq i32 %4, 0
  br i1 %82, label %120, label %83

83:
  %84 = lshr exact i32 %4, 2
  %85 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %86 = shl i32 %54, 2
  %87 = getelementptr inbounds nuw i8, ptr %11, i64 12
  %88 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %89 = getelementptr inbounds nuw i8, ptr %11, i64 20
  %90 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %91 = getelementptr inbounds nuw i8, ptr %22, i64 12864
  %92 = getelementptr inbounds nuw i8, ptr %11, i64 32
  %93 = lshr exact i64 %50, 2
  %94 = shl nuw nsw i64 %55, 2
  %95 = getelementptr inbounds nuw i8, ptr %10, i64 56
  %96 = getelementptr inbounds nuw i8, ptr %10, i64 80
  %97 = zext nneg i32 %84 to i64
  br label %98

98:
  %99 = phi i64 [ 0, %83 ], [ %118, %117 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  store i64 %50, ptr %11, align 8
  store i32 %86, ptr %85, align 8
  store i32 4, ptr %87, align 4
  store i32 0, ptr %88, align 8
  store i32 0, ptr %89, align 4
  %100 = trunc nuw nsw i64 %99 to i32
  %101 = add i32 %6, %100
  %102 = zext i32 %101 to i64
  %103 = getelementptr inbounds nuw [64 x i32], ptr %91, i64 %102
  store ptr %103, ptr %90, align 8
  %104 = add nuw nsw i64 %99, %93
  %105 = mul i64 %104, %94
  %106 = lshr i64 %105, 12
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %92, i8 0, i64 24, i1 false)
  %107 = load ptr, ptr %95, align 8
  %108 = getelementptr inbounds nuw i32, ptr %107, i64 %106
  %109 = load i32, ptr %108, align 4
  %110 = lshr i32 %109, 4
  %111 = load i32, ptr %96, align 8
  %112 = icmp ne i32 %110, %111
  %113 = and i32 %109, 4
  %114 = icmp eq i32 %113, 0
  %115 = or i1 %112, %114
  br i1 %115, label %116, label %117

116:
  call void @touch_page(ptr noundef %22, ptr noundef nonnull %80, i64 noundef %106, i32 noundef 1)
  br label %117

117:
  call void @write_bytes(ptr noundef nonnull readonly %12, ptr noundef nonnull %11, ptr noundef nonnull %10, i64 noundef %105)
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  %118 = add nuw nsw i64 %99, 1
  %119 = icmp eq i64 %118, %97
  br i1 %119, label %120, label %98

120:
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  br label %326

121:
  %122 = phi i64 [ %20, %18 ], [ %24, %45 ], [ %24, %60 ], [ %24, %67 ], [ %24, %73 ]
  %123 = icmp eq i64 %122, 0
  br i1 %123, label %124, label %126

124:
  %125 = zext i32 %4 to i64
  br label %148

126:
  %127 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %128 = zext i32 %4 to i64
  %129 = insertelement <8 x i64> poison, i64 %128, i64 0
  %130 = shufflevector <8 x i64> %129, <8 x i64> poison, <8 x i32> zeroinitializer
  br label %131

131:
  %132 = phi i64 [ 0, %126 ], [ %144, %131 ]
  %133 = phi i64 [ 0, %126 ], [ %143, %131 ]
  %134 = getelementptr inbounds nuw i64, ptr %127, i64 %132
  %135 = load <8 x i64>, ptr %134, align 8
  %136 = getelementptr inbounds nuw i8, ptr %134, i64 8
  %137 = load <8 x i64>, ptr %136, align 8
  %138 = add <8 x i64> %135, %130
  %139 = icmp eq <8 x i64> %137, %138
  %140 = bitcast <8 x i1> %139 to i8
  %141 = zext i8 %140 to i64
  %142 = shl nuw i64 %141, %132
  %143 = or i64 %142, %133
  %144 = add nuw nsw i64 %132, 8
  %145 = icmp samesign ult i64 %132, 56
  br i1 %145, label %131, label %146

146:
  %147 = and i64 %143, %122
  br label %148

148:
  %149 = phi i64 [ %125, %124 ], [ %128, %146 ]
  %150 = phi i64 [ 0, %124 ], [ %147, %146 ]
  %151 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %152 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %153 = getelementptr inbounds nuw i8, ptr %13, i64 12
  %154 = getelementptr inbounds nuw i8, ptr %13, i64 16
  %155 = getelementptr inbounds nuw i8, ptr %13, i64 20
  %156 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %157 = icmp eq i32 %4, 4
  %158 = zext i32 %6 to i64
  %159 = icmp ult i32 %4, 4
  %160 = lshr i32 %4, 2
  %161 = zext nneg i32 %160 to i64
  %162 = icmp eq i32 %4, 0
  %163 = getelementptr inbounds nuw i8, ptr %13, i64 24
  %164 = getelementptr inbounds nuw i8, ptr %9, i64 2048
  %165 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %166 = getelementptr inbounds nuw i8, ptr %9, i64 4096
  %167 = getelementptr inbounds nuw i8, ptr %13, i64 40
  br label %168

168:
  %169 = phi i64 [ %3, %148 ], [ %183, %324 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %13)
  %170 = call range(i64 0, 65) i64 @llvm.cttz.i64(i64 %169, i1 true)
  %171 = lshr i64 %150, %170
  %172 = xor i64 %171, -1
  %173 = call range(i64 0, 65) i64 @llvm.cttz.i64(i64 %172, i1 true)
  %174 = trunc nuw nsw i64 %173 to i32
  %175 = add nuw nsw i32 %174, 1
  %176 = icmp eq i64 %173, 63
  %177 = zext nneg i32 %175 to i64
  %178 = shl nsw i64 -1, %177
  %179 = xor i64 %178, -1
  %180 = select i1 %176, i64 -1, i64 %179
  %181 = shl i64 %180, %170
  %182 = xor i64 %181, -1
  %183 = and i64 %169, %182
  %184 = getelementptr inbounds nuw i64, ptr %151, i64 %170
  %185 = load i64, ptr %184, align 8
  store i64 %185, ptr %13, align 8
  %186 = mul i32 %175, %4
  store i32 %186, ptr %152, align 8
  %187 = trunc nuw nsw i64 %170 to i32
  store i32 %4, ptr %153, align 4
  store i32 %187, ptr %154, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(36) %155, i8 0, i64 36, i1 false)
  %188 = load ptr, ptr %12, align 8
  %189 = load i32, ptr %156, align 8
  %190 = and i32 %189, 64
  %191 = icmp ne i32 %190, 0
  %192 = and i1 %157, %191
  br i1 %192, label %193, label %198

193:
  %194 = getelementptr inbounds nuw i8, ptr %188, i64 12864
  %195 = getelementptr inbounds nuw [64 x i32], ptr %194, i64 %158
  %196 = getelementptr inbounds nuw i32, ptr %195, i64 %170
  store ptr %196, ptr %163, align 8
  %197 = call i32 @access(ptr noundef nonnull %12, ptr noundef nonnull %13)
  br label %324

198:
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  %199 = getelementptr inbounds nuw i8, ptr %188, i64 12864
  %200 = getelementptr inbounds nuw [64 x i32], ptr %199, i64 %158
  br i1 %159, label %201, label %224

201:
  %202 = phi i64 [ %211, %210 ], [ 0, %198 ]
  br i1 %162, label %210, label %203

203:
  %204 = trunc nuw i64 %202 to i32
  %205 = add nuw i64 %202, %170
  %206 = and i64 %205, 4294967295
  %207 = getelementptr inbounds nuw i32, ptr %200, i64 %206
  %208 = mul i32 %4, %204
  %209 = load i32, ptr %207, align 4
  br label %213

210:
  %211 = add nuw nsw i64 %202, 1
  %212 = icmp eq i64 %211, %177
  br i1 %212, label %244, label %201

213:
  %214 = phi i64 [ 0, %203 ], [ %222, %213 ]
  %215 = trunc i64 %214 to i32
  %216 = shl i32 %215, 3
  %217 = lshr i32 %209, %216
  %218 = trunc i32 %217 to i8
  %219 = add i32 %208, %215
  %220 = zext i32 %219 to i64
  %221 = getelementptr inbounds nuw i8, ptr %9, i64 %220
  store i8 %218, ptr %221, align 1
  %222 = add nuw nsw i64 %214, 1
  %223 = icmp eq i64 %222, %149
  br i1 %223, label %210, label %213

224:
  %225 = phi i64 [ %230, %229 ], [ 0, %198 ]
  %226 = shl nuw i64 %225, 2
  %227 = getelementptr inbounds nuw i8, ptr %9, i64 %226
  %228 = getelementptr inbounds nuw [64 x i32], ptr %200, i64 %225
  br label %232

229:
  %230 = add nuw nsw i64 %225, 1
  %231 = icmp eq i64 %230, %161
  br i1 %231, label %244, label %224

232:
  %233 = phi i64 [ 0, %224 ], [ %242, %232 ]
  %234 = trunc nuw i64 %233 to i32
  %235 = mul i32 %4, %234
  %236 = zext i32 %235 to i64
  %237 = getelementptr inbounds nuw i8, ptr %227, i64 %236
  %238 = add nuw i64 %233, %170
  %239 = and i64 %238, 4294967295
  %240 = getelementptr inbounds nuw i32, ptr %228, i64 %239
  %241 = load i32, ptr %240, align 4
  store i32 %241, ptr %237, align 1
  %242 = add nuw nsw i64 %233, 1
  %243 = icmp eq i64 %242, %177
  br i1 %243, label %229, label %232

244:
  store ptr %9, ptr %163, align 8
  br i1 %191, label %322, label %245

245:
  %246 = getelementptr inbounds nuw i8, ptr %188, i64 47680
  %247 = getelementptr inbounds nuw [64 x i32], ptr %246, i64 %158
  br i1 %159, label %248, label %271

248:
  %249 = phi i64 [ %258, %257 ], [ 0, %245 ]
  br i1 %162, label %257, label %250

250:
  %251 = trunc nuw i64 %249 to i32
  %252 = add nuw i64 %249, %170
  %253 = and i64 %252, 4294967295
  %254 = getelementptr inbounds nuw i32, ptr %247, i64 %253
  %255 = mul i32 %4, %251
  %256 = load i32, ptr %254, align 4
  br label %260

257:
  %258 = add nuw nsw i64 %249, 1
  %259 = icmp eq i64 %258, %177
  br i1 %259, label %291, label %248

260:
  %261 = phi i64 [ 0, %250 ], [ %269, %260 ]
  %262 = trunc i64 %261 to i32
  %263 = shl i32 %262, 3
  %264 = lshr i32 %256, %263
  %265 = trunc i32 %264 to i8
  %266 = add i32 %255, %262
  %267 = zext i32 %266 to i64
  %268 = getelementptr inbounds nuw i8, ptr %164, i64 %267
  store i8 %265, ptr %268, align 1
  %269 = add nuw nsw i64 %261, 1
  %270 = icmp eq i64 %269, %149
  br i1 %270, label %257, label %260

271:
  %272 = phi i64 [ %277, %276 ], [ 0, %245 ]
  %273 = shl nuw i64 %272, 2
  %274 = getelementptr inbounds nuw i8, ptr %164, i64 %273
  %275 = getelementptr inbounds nuw [64 x i32], ptr %247, i64 %272
  br label %279

276:
  %277 = add nuw nsw i64 %272, 1
  %278 = icmp eq i64 %277, %161
  br i1 %278, label %291, label %271

279:
  %280 = phi i64 [ 0, %271 ], [ %289, %279 ]
  %281 = trunc nuw i64 %280 to i32
  %282 = mul i32 %4, %281
  %283 = zext i32 %282 to i64
  %284 = getelementptr inbounds nuw i8, ptr %274, i64 %283
  %285 = add nuw i64 %280, %170
  %286 = and i64 %285, 4294967295
  %287 = getelementptr inbounds nuw i32, ptr %275, i64 %286
  %288 = load i32, ptr %287, align 4
  store i32 %288, ptr %284, align 1
  %289 = add nuw nsw i64 %280, 1
  %290 = icmp eq i64 %289, %177
  br i1 %290, label %276, label %279

291:
  store ptr %164, ptr %165, align 8
  store ptr %166, ptr %167, align 8
  %292 = getelementptr inbounds nuw i8, ptr %188, i64 16
  %293 = load ptr, ptr %292, align 8
  %294 = getelementptr inbounds nuw i8, ptr %293, i64 128
  %295 = load i64, ptr %294, align 8
  %296 = icmp eq i64 %295, 0
  br i1 %296, label %322, label %297

297:
  %298 = getelementptr inbounds nuw i8, ptr %188, i64 82496
  %299 = getelementptr inbounds nuw i32, ptr %298, i64 %170
  br label %300

300:
  %301 = phi i64 [ 0, %297 ], [ %307, %306 ]
  br i1 %162, label %306, label %302

302:
  %303 = trunc nuw i64 %301 to i32
  %304 = getelementptr inbounds nuw i32, ptr %299, i64 %301
  %305 = mul i32 %4, %303
  br label %309

306:
  %307 = add nuw nsw i64 %301, 1
  %308 = icmp eq i64 %307, %177
  br i1 %308, label %322, label %300

309:
  %310 = phi i64 [ 0, %302 ], [ %320, %309 ]
  %311 = trunc nuw i64 %310 to i32
  %312 = lshr i32 %311, 2
  %313 = add i32 %312, %6
  %314 = zext i32 %313 to i64
  %315 = getelementptr inbounds nuw [64 x i32], ptr %304, i64 %314
  %316 = load i32, ptr %315, align 4
  %317 = add i32 %305, %311
  %318 = zext i32 %317 to i64
  %319 = getelementptr inbounds nuw i32, ptr %166, i64 %318
  store i32 %316, ptr %319, align 4
  %320 = add nuw nsw i64 %310, 1
  %321 = icmp eq i64 %320, %149
  br i1 %321, label %306, label %309

322:
  %323 = call i32 @access(ptr noundef nonnull %12, ptr noundef nonnull %13)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  br label %324

324:
  call void @llvm.lifetime.end.p0(ptr nonnull %13)
  %325 = icmp eq i64 %183, 0
  br i1 %325, label %326, label %168

326:
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  br label %327

327:
  ret void
}

define range(i32 0, 2) i32 @lm_peek(ptr noundef %0, i32 noundef %1, i64 noundef %2, i64 noundef %3, ptr noundef writeonly captures(none) %4) local_unnamed_addr {
  %6 = alloca i64, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  %7 = call ptr @memory_at(ptr noundef %0, i32 noundef 3, i64 noundef %2, i64 noundef %3, ptr noundef nonnull %6)
  %8 = icmp eq ptr %7, null
  br i1 %8, label %52, label %9

9:
  %10 = icmp eq i64 %3, 0
  br i1 %10, label %52, label %11

11:
  %12 = load i64, ptr %6, align 8
  %13 = getelementptr inbounds nuw i8, ptr %7, i64 84
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %15 = zext i32 %1 to i64
  %16 = getelementptr inbounds nuw i8, ptr %7, i64 56
  %17 = getelementptr inbounds nuw i8, ptr %7, i64 80
  %18 = getelementptr inbounds nuw i8, ptr %7, i64 16
  br label %19

19:
  %20 = phi i64 [ 0, %11 ], [ %50, %45 ]
  %21 = add i64 %12, %20
  %22 = load i32, ptr %13, align 4
  %23 = icmp eq i32 %22, 2
  br i1 %23, label %24, label %35

24:
  %25 = lshr i64 %21, 2
  %26 = load ptr, ptr %14, align 8
  %27 = getelementptr inbounds nuw i8, ptr %26, i64 108
  %28 = load i32, ptr %27, align 4
  %29 = zext i32 %28 to i64
  %30 = mul i64 %25, %29
  %31 = add i64 %30, %15
  %32 = shl i64 %31, 2
  %33 = and i64 %21, 3
  %34 = or disjoint i64 %32, %33
  br label %35

35:
  %36 = phi i64 [ %34, %24 ], [ %21, %19 ]
  %37 = load ptr, ptr %16, align 8
  %38 = lshr i64 %36, 12
  %39 = getelementptr inbounds nuw i32, ptr %37, i64 %38
  %40 = load i32, ptr %39, align 4
  %41 = lshr i32 %40, 4
  %42 = load i32, ptr %17, align 8
  %43 = icmp eq i32 %41, %42
  br i1 %43, label %45, label %44

44:
  tail call void @touch_page(ptr noundef %0, ptr noundef nonnull %7, i64 noundef %38, i32 noundef 0)
  br label %45

45:
  %46 = load ptr, ptr %18, align 8
  %47 = getelementptr inbounds nuw i8, ptr %46, i64 %36
  %48 = load i8, ptr %47, align 1
  %49 = getelementptr inbounds nuw i8, ptr %4, i64 %20
  store i8 %48, ptr %49, align 1
  %50 = add nuw i64 %20, 1
  %51 = icmp eq i64 %50, %3
  br i1 %51, label %52, label %19

52:
  %53 = phi i32 [ 0, %5 ], [ 1, %9 ], [ 1, %45 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  ret i32 %53
}

define i32 @format_bits(i32 noundef %0) local_unnamed_addr {
  switch i32 %0, label %7 [
    i32 1, label %12
    i32 2, label %2
    i32 3, label %8
    i32 13, label %8
    i32 4, label %3
    i32 5, label %4
    i32 6, label %5
    i32 7, label %6
  ]

2:
  br label %12

3:
  br label %12

4:
  br label %12

5:
  br label %12

6:
  br label %12

7:
  br label %8

8:
  %9 = phi i64 [ 98784247816, %7 ], [ 12884901892, %1 ], [ 12884901892, %1 ]
  %10 = add i32 %0, -8
  %11 = icmp ult i32 %10, 4
  br i1 %11, label %19, label %12

12:
  %13 = phi i64 [ %9, %8 ], [ 42949672965, %1 ], [ 8589934595, %5 ], [ 12884901890, %4 ], [ 8589934597, %3 ], [ 30064771080, %2 ], [ 4294967298, %6 ]
  %14 = trunc i64 %13 to i32
  %15 = add i32 %14, 1
  %16 = lshr i64 %13, 32
  %17 = trunc nuw nsw i64 %16 to i32
  %18 = add i32 %15, %17
  br label %23

19:
  %20 = zext nneg i32 %10 to i64
  %21 = getelementptr inbounds nuw i32, ptr @switch.table.format_bits, i64 %20
  %22 = load i32, ptr %21, align 4
  br label %23

23:
  %24 = phi i32 [ %18, %12 ], [ %22, %19 ]
  ret i32 %24
}

define float @decode(i32 noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = and i32 %1, 127
  br label %4

4:
  %5 = phi i32 [ %0, %2 ], [ 3, %4 ]
  %6 = phi i32 [ %1, %2 ], [ %3, %4 ]
  switch i32 %5, label %35 [
    i32 8, label %7
    i32 11, label %10
    i32 0, label %13
    i32 12, label %15
    i32 13, label %4
    i32 2, label %18
    i32 10, label %21
    i32 1, label %36
    i32 6, label %40
    i32 3, label %37
    i32 7, label %41
    i32 4, label %38
    i32 5, label %39
  ]

7:
  %8 = trunc i32 %6 to i8
  %9 = sitofp i8 %8 to float
  br label %105

10:
  %11 = trunc i32 %6 to i8
  %12 = uitofp i8 %11 to float
  br label %105

13:
  %14 = bitcast i32 %6 to float
  br label %105

15:
  %16 = and i32 %6, -8192
  %17 = bitcast i32 %16 to float
  br label %105

18:
  %19 = shl i32 %6, 16
  %20 = bitcast i32 %19 to float
  br label %105

21:
  %22 = icmp eq i32 %6, 255
  br i1 %22, label %105, label %23

23:
  %24 = icmp sgt i32 %6, 0
  br i1 %24, label %25, label %27

25:
  %26 = shl i32 %6, 23
  br label %32

27:
  %28 = icmp sgt i32 %6, -23
  %29 = add nsw i32 %6, 22
  %30 = shl nuw nsw i32 1, %29
  %31 = select i1 %28, i32 %30, i32 0
  br label %32

32:
  %33 = phi i32 [ %26, %25 ], [ %31, %27 ]
  %34 = bitcast i32 %33 to float
  br label %105

35:
  br label %41

36:
  br label %41

37:
  br label %41

38:
  br label %41

39:
  br label %41

40:
  br label %41

41:
  %42 = phi i64 [ 98784247816, %35 ], [ 8589934595, %40 ], [ 12884901890, %39 ], [ 42949672965, %36 ], [ 12884901892, %37 ], [ 8589934597, %38 ], [ 4294967298, %4 ]
  %43 = phi i64 [ 127, %35 ], [ 8589934595, %40 ], [ 8589934593, %39 ], [ 15, %36 ], [ 4294967303, %37 ], [ 15, %38 ], [ 8589934593, %4 ]
  %44 = trunc i64 %42 to i32
  %45 = shl nsw i32 -1, %44
  %46 = xor i32 %45, -1
  %47 = lshr i64 %42, 32
  %48 = trunc nuw nsw i64 %47 to i32
  %49 = shl nuw nsw i32 1, %48
  %50 = add nsw i32 %49, -1
  %51 = lshr i32 %6, %48
  %52 = and i32 %51, %46
  %53 = and i32 %50, %6
  %54 = add nuw nsw i32 %48, %44
  %55 = lshr i32 %6, %54
  %56 = and i32 %55, 1
  %57 = icmp eq i32 %52, %46
  %58 = lshr i64 %43, 32
  %59 = icmp ne i64 %58, 2
  %60 = and i1 %59, %57
  br i1 %60, label %61, label %80

61:
  %62 = icmp eq i64 %58, 0
  %63 = icmp eq i32 %53, 0
  %64 = select i1 %62, i1 %63, i1 false
  br i1 %64, label %65, label %69

65:
  %66 = shl nuw i32 %56, 31
  %67 = or disjoint i32 %66, 2139095040
  %68 = bitcast i32 %67 to float
  br label %105

69:
  %70 = icmp eq i32 %53, %50
  %71 = select i1 %62, i1 true, i1 %70
  br i1 %71, label %72, label %80

72:
  %73 = shl nuw i32 %56, 31
  %74 = sub nuw nsw i32 23, %48
  %75 = shl i32 %53, %74
  %76 = select i1 %62, i32 %75, i32 0
  %77 = or i32 %73, %76
  %78 = or i32 %77, 2143289344
  %79 = bitcast i32 %78 to float
  br label %105

80:
  %81 = icmp eq i32 %52, 0
  %82 = tail call i32 @llvm.umax.i32(i32 %52, i32 1)
  %83 = trunc i64 %43 to i32
  %84 = add nuw nsw i32 %83, %48
  %85 = sub nsw i32 %82, %84
  %86 = select i1 %81, i32 0, i32 %49
  %87 = or i32 %86, %53
  %88 = uitofp nneg i32 %87 to float
  %89 = icmp sgt i32 %85, -127
  br i1 %89, label %90, label %93

90:
  %91 = shl i32 %85, 23
  %92 = add i32 %91, 1065353216
  br label %98

93:
  %94 = icmp samesign ugt i32 %85, -150
  %95 = add nsw i32 %85, 149
  %96 = shl nuw nsw i32 1, %95
  %97 = select i1 %94, i32 %96, i32 0
  br label %98

98:
  %99 = phi i32 [ %92, %90 ], [ %97, %93 ]
  %100 = bitcast i32 %99 to float
  %101 = fmul float %88, %100
  %102 = icmp eq i32 %56, 0
  %103 = fneg float %101
  %104 = select i1 %102, float %101, float %103
  br label %105

105:
  %106 = phi float [ %9, %7 ], [ %12, %10 ], [ %14, %13 ], [ %17, %15 ], [ %104, %98 ], [ %20, %18 ], [ 0x7FF8000000000000, %21 ], [ %34, %32 ], [ %68, %65 ], [ %79, %72 ]
  ret float %106
}

define i32 @encode(i32 noundef %0, float noundef %1, i32 noundef %2) local_unnamed_addr {
  switch i32 %0, label %12 [
    i32 0, label %4
    i32 1, label %13
    i32 2, label %6
    i32 3, label %7
    i32 13, label %7
    i32 4, label %8
    i32 5, label %9
    i32 6, label %10
    i32 7, label %11
  ]

4:
  %5 = bitcast float %1 to i32
  br label %102

6:
  br label %13

7:
  br label %13

8:
  br label %13

9:
  br label %13

10:
  br label %13

11:
  br label %13

12:
  br label %13

13:
  %14 = phi i64 [ 98784247816, %12 ], [ 4294967298, %11 ], [ 30064771080, %6 ], [ 12884901892, %7 ], [ 8589934597, %8 ], [ 12884901890, %9 ], [ 8589934595, %10 ], [ 42949672965, %3 ]
  %15 = phi i64 [ 127, %12 ], [ 8589934593, %11 ], [ 127, %6 ], [ 4294967303, %7 ], [ 15, %8 ], [ 8589934593, %9 ], [ 8589934595, %10 ], [ 15, %3 ]
  %16 = bitcast float %1 to i32
  %17 = lshr i32 %16, 31
  %18 = tail call float @llvm.fabs.f32(float %1)
  %19 = bitcast float %18 to i32
  %20 = trunc i64 %14 to i32
  %21 = shl nsw i32 -1, %20
  %22 = xor i32 %21, -1
  %23 = lshr i64 %14, 32
  %24 = trunc nuw nsw i64 %23 to i32
  %25 = shl nsw i32 -1, %24
  %26 = xor i32 %25, -1
  %27 = add nuw nsw i32 %24, %20
  %28 = shl nuw i32 %17, %27
  %29 = shl i32 %22, %24
  %30 = lshr i64 %15, 32
  %31 = icmp eq i64 %30, 0
  br i1 %31, label %32, label %34

32:
  %33 = add i32 %29, -1
  br label %39

34:
  %35 = icmp eq i64 %30, 1
  %36 = sext i1 %35 to i32
  %37 = add nsw i32 %36, %26
  %38 = or i32 %37, %29
  br label %39

39:
  %40 = phi i32 [ %33, %32 ], [ %38, %34 ]
  %41 = icmp eq i64 %30, 1
  %42 = add nsw i32 %24, -1
  %43 = shl nuw nsw i32 1, %42
  %44 = select i1 %41, i32 %26, i32 %43
  %45 = or i32 %44, %29
  %46 = icmp samesign ugt i32 %19, 2139095040
  br i1 %46, label %47, label %51

47:
  %48 = icmp eq i64 %30, 2
  %49 = or i32 %45, %28
  %50 = select i1 %48, i32 %40, i32 %49
  br label %102

51:
  %52 = lshr i32 %19, 23
  %53 = icmp eq i32 %52, 0
  %54 = add nsw i32 %52, -127
  %55 = select i1 %53, i32 -126, i32 %54
  %56 = trunc i64 %15 to i32
  %57 = sub nsw i32 1, %56
  %58 = icmp slt i32 %55, %57
  %59 = sub nsw i32 %57, %55
  %60 = select i1 %58, i32 %59, i32 0
  %61 = sub i32 %60, %24
  %62 = add i32 %61, 23
  %63 = icmp sgt i32 %62, 25
  br i1 %63, label %88, label %64

64:
  %65 = and i32 %19, 8388607
  %66 = or disjoint i32 %65, 8388608
  %67 = select i1 %53, i32 %65, i32 %66
  %68 = lshr i32 %67, %62
  %69 = shl nsw i32 -1, %62
  %70 = xor i32 %69, -1
  %71 = and i32 %67, %70
  %72 = add i32 %61, 22
  %73 = shl nuw nsw i32 1, %72
  %74 = icmp samesign ugt i32 %71, %73
  br i1 %74, label %81, label %75

75:
  %76 = icmp eq i32 %71, %73
  %77 = and i32 %68, 1
  %78 = icmp ne i32 %77, 0
  %79 = select i1 %76, i1 %78, i1 false
  %80 = zext i1 %79 to i32
  br label %81

81:
  %82 = phi i32 [ 1, %64 ], [ %80, %75 ]
  %83 = sub nsw i32 %55, %57
  %84 = shl i32 %83, %24
  %85 = select i1 %58, i32 0, i32 %84
  %86 = add i32 %68, %85
  %87 = add i32 %86, %82
  br label %88

88:
  %89 = phi i32 [ %87, %81 ], [ 0, %51 ]
  %90 = icmp eq i32 %19, 2139095040
  %91 = icmp ugt i32 %89, %40
  %92 = select i1 %90, i1 true, i1 %91
  br i1 %92, label %93, label %99

93:
  %94 = icmp ne i32 %2, 0
  %95 = icmp eq i64 %30, 2
  %96 = or i1 %94, %95
  %97 = select i1 %31, i32 %29, i32 %45
  %98 = select i1 %96, i32 %40, i32 %97
  br label %99

99:
  %100 = phi i32 [ %98, %93 ], [ %89, %88 ]
  %101 = or i32 %100, %28
  br label %102

102:
  %103 = phi i32 [ %5, %4 ], [ %50, %47 ], [ %101, %99 ]
  ret i32 %103
}

define void @lm_decode(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 108
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %15, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %13 = zext i32 %3 to i64
  %14 = getelementptr inbounds nuw [64 x i32], ptr %12, i64 %13
  br label %16

15:
  ret void

16:
  %17 = phi i32 [ %9, %11 ], [ %28, %27 ]
  %18 = phi i64 [ 0, %11 ], [ %29, %27 ]
  %19 = shl nuw i64 1, %18
  %20 = and i64 %19, %2
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %27, label %22

22:
  %23 = getelementptr inbounds nuw i32, ptr %14, i64 %18
  %24 = load i32, ptr %23, align 4
  %25 = tail call float @decode(i32 noundef %4, i32 noundef %24)
  store float %25, ptr %23, align 4
  %26 = load i32, ptr %8, align 4
  br label %27

27:
  %28 = phi i32 [ %17, %16 ], [ %26, %22 ]
  %29 = add nuw nsw i64 %18, 1
  %30 = zext i32 %28 to i64
  %31 = icmp samesign ult i64 %29, %30
  br i1 %31, label %16, label %15
}

define void @lm_encode(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 108
  %10 = load i32, ptr %9, align 4
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %16, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %14 = zext i32 %3 to i64
  %15 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %14
  br label %17

16:
  ret void

17:
  %18 = phi i32 [ %10, %12 ], [ %29, %28 ]
  %19 = phi i64 [ 0, %12 ], [ %30, %28 ]
  %20 = shl nuw i64 1, %19
  %21 = and i64 %20, %2
  %22 = icmp eq i64 %21, 0
  br i1 %22, label %28, label %23

23:
  %24 = getelementptr inbounds nuw i32, ptr %15, i64 %19
  %25 = load float, ptr %24, align 4
  %26 = tail call i32 @encode(i32 noundef %4, float noundef %25, i32 noundef %5)
  store i32 %26, ptr %24, align 4
  %27 = load i32, ptr %9, align 4
  br label %28

28:
  %29 = phi i32 [ %18, %17 ], [ %27, %23 ]
  %30 = add nuw nsw i64 %19, 1
  %31 = zext i32 %29 to i64
  %32 = icmp samesign ult i64 %30, %31
  br i1 %32, label %17, label %16
}

define void @lm_function_f32(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 108
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %15, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %13 = zext i32 %3 to i64
  %14 = getelementptr inbounds nuw [64 x i32], ptr %12, i64 %13
  br label %16

15:
  ret void

16:
  %17 = phi i32 [ %9, %11 ], [ %58, %57 ]
  %18 = phi i64 [ 0, %11 ], [ %59, %57 ]
  %19 = shl nuw i64 1, %18
  %20 = and i64 %19, %2
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %57, label %22

22:
  %23 = getelementptr inbounds nuw i32, ptr %14, i64 %18
  %24 = load float, ptr %23, align 4
  %25 = fpext float %24 to double
  switch i32 %4, label %51 [
    i32 0, label %26
    i32 1, label %28
    i32 2, label %30
    i32 3, label %32
    i32 4, label %35
    i32 5, label %37
    i32 6, label %42
    i32 7, label %47
    i32 8, label %49
  ]

26:
  %27 = tail call double @llvm.exp2.f64(double %25)
  br label %53

28:
  %29 = tail call double @llvm.log2.f64(double %25)
  br label %53

30:
  %31 = fdiv double 1.000000e+00, %25
  br label %53

32:
  %33 = tail call double @llvm.sqrt.f64(double %25)
  %34 = fdiv double 1.000000e+00, %33
  br label %53

35:
  %36 = tail call double @llvm.sqrt.f64(double %25)
  br label %53

37:
  %38 = tail call double @llvm.floor.f64(double %25)
  %39 = fsub double %25, %38
  %40 = fmul double %39, 0x401921FB54442D18
  %41 = tail call double @llvm.sin.f64(double %40)
  br label %53

42:
  %43 = tail call double @llvm.floor.f64(double %25)
  %44 = fsub double %25, %43
  %45 = fmul double %44, 0x401921FB54442D18
  %46 = tail call double @llvm.cos.f64(double %45)
  br label %53

47:
  %48 = tail call double @llvm.sin.f64(double %25)
  br label %53

49:
  %50 = tail call double @llvm.cos.f64(double %25)
  br label %53

51:
  %52 = tail call double @llvm.tanh.f64(double %25)
  br label %53

53:
  %54 = phi double [ %52, %51 ], [ %27, %26 ], [ %29, %28 ], [ %31, %30 ], [ %34, %32 ], [ %36, %35 ], [ %41, %37 ], [ %46, %42 ], [ %48, %47 ], [ %50, %49 ]
  %55 = fptrunc double %54 to float
  store float %55, ptr %23, align 4
  %56 = load i32, ptr %8, align 4
  br label %57

57:
  %58 = phi i32 [ %17, %16 ], [ %56, %53 ]
  %59 = add nuw nsw i64 %18, 1
  %60 = zext i32 %58 to i64
  %61 = icmp samesign ult i64 %59, %60
  br i1 %61, label %16, label %15
}

define void @lm_function_f64(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 108
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %18, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %13 = zext i32 %3 to i64
  %14 = getelementptr inbounds nuw [64 x i32], ptr %12, i64 %13
  %15 = add i32 %3, 1
  %16 = zext i32 %15 to i64
  %17 = getelementptr inbounds nuw [64 x i32], ptr %12, i64 %16
  br label %19

18:
  ret void

19:
  %20 = phi i32 [ %9, %11 ], [ %70, %69 ]
  %21 = phi i64 [ 0, %11 ], [ %71, %69 ]
  %22 = shl nuw i64 1, %21
  %23 = and i64 %22, %2
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %69, label %25

25:
  %26 = getelementptr inbounds nuw i32, ptr %14, i64 %21
  %27 = load i32, ptr %26, align 4
  %28 = zext i32 %27 to i64
  %29 = getelementptr inbounds nuw i32, ptr %17, i64 %21
  %30 = load i32, ptr %29, align 4
  %31 = zext i32 %30 to i64
  %32 = shl nuw i64 %31, 32
  %33 = or disjoint i64 %32, %28
  %34 = bitcast i64 %33 to double
  switch i32 %4, label %60 [
    i32 0, label %35
    i32 1, label %37
    i32 2, label %39
    i32 3, label %41
    i32 4, label %44
    i32 5, label %46
    i32 6, label %51
    i32 7, label %56
    i32 8, label %58
  ]

35:
  %36 = tail call double @llvm.exp2.f64(double %34)
  br label %62

37:
  %38 = tail call double @llvm.log2.f64(double %34)
  br label %62

39:
  %40 = fdiv double 1.000000e+00, %34
  br label %62

41:
  %42 = tail call double @llvm.sqrt.f64(double %34)
  %43 = fdiv double 1.000000e+00, %42
  br label %62

44:
  %45 = tail call double @llvm.sqrt.f64(double %34)
  br label %62

46:
  %47 = tail call double @llvm.floor.f64(double %34)
  %48 = fsub double %34, %47
  %49 = fmul double %48, 0x401921FB54442D18
  %50 = tail call double @llvm.sin.f64(double %49)
  br label %62

51:
  %52 = tail call double @llvm.floor.f64(double %34)
  %53 = fsub double %34, %52
  %54 = fmul double %53, 0x401921FB54442D18
  %55 = tail call double @llvm.cos.f64(double %54)
  br label %62

56:
  %57 = tail call double @llvm.sin.f64(double %34)
  br label %62

58:
  %59 = tail call double @llvm.cos.f64(double %34)
  br label %62

60:
  %61 = tail call double @llvm.tanh.f64(double %34)
  br label %62

62:
  %63 = phi double [ %61, %60 ], [ %36, %35 ], [ %38, %37 ], [ %40, %39 ], [ %43, %41 ], [ %45, %44 ], [ %50, %46 ], [ %55, %51 ], [ %57, %56 ], [ %59, %58 ]
  %64 = bitcast double %63 to i64
  %65 = trunc i64 %64 to i32
  store i32 %65, ptr %26, align 4
  %66 = lshr i64 %64, 32
  %67 = trunc nuw i64 %66 to i32
  store i32 %67, ptr %29, align 4
  %68 = load i32, ptr %8, align 4
  br label %69

69:
  %70 = phi i32 [ %20, %19 ], [ %68, %62 ]
  %71 = add nuw nsw i64 %21, 1
  %72 = zext i32 %70 to i64
  %73 = icmp samesign ult i64 %71, %72
  br i1 %73, label %19, label %18
}

define void @lm_div_scale(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = icmp eq i32 %4, 0
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 108
  %10 = load i32, ptr %9, align 4
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %31, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %14 = zext i32 %3 to i64
  %15 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %14
  %16 = add i32 %3, 2
  %17 = zext i32 %16 to i64
  %18 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %17
  %19 = add i32 %3, 3
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %20
  %22 = add i32 %3, 4
  %23 = zext i32 %22 to i64
  %24 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %23
  %25 = add i32 %3, 5
  %26 = zext i32 %25 to i64
  %27 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %26
  %28 = add i32 %3, 1
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %29
  br label %32

31:
  ret void

32:
  %33 = phi i32 [ %10, %12 ], [ %188, %187 ]
  %34 = phi i64 [ 0, %12 ], [ %189, %187 ]
  %35 = shl nuw i64 1, %34
  %36 = and i64 %35, %2
  %37 = icmp eq i64 %36, 0
  br i1 %37, label %187, label %38

38:
  %39 = getelementptr inbounds nuw i32, ptr %15, i64 %34
  br i1 %6, label %40, label %48

40:
  %41 = getelementptr inbounds nuw i32, ptr %30, i64 %34
  %42 = load float, ptr %41, align 4
  %43 = getelementptr inbounds nuw i32, ptr %18, i64 %34
  %44 = load float, ptr %43, align 4
  %45 = fcmp oeq float %44, 0.000000e+00
  %46 = fcmp oeq float %42, 0.000000e+00
  %47 = select i1 %45, i1 true, i1 %46
  br i1 %47, label %180, label %70

48:
  %49 = getelementptr inbounds nuw i32, ptr %18, i64 %34
  %50 = load i32, ptr %49, align 4
  %51 = zext i32 %50 to i64
  %52 = getelementptr inbounds nuw i32, ptr %21, i64 %34
  %53 = load i32, ptr %52, align 4
  %54 = zext i32 %53 to i64
  %55 = shl nuw i64 %54, 32
  %56 = or disjoint i64 %55, %51
  %57 = bitcast i64 %56 to double
  %58 = getelementptr inbounds nuw i32, ptr %24, i64 %34
  %59 = load i32, ptr %58, align 4
  %60 = zext i32 %59 to i64
  %61 = getelementptr inbounds nuw i32, ptr %27, i64 %34
  %62 = load i32, ptr %61, align 4
  %63 = zext i32 %62 to i64
  %64 = shl nuw i64 %63, 32
  %65 = or disjoint i64 %64, %60
  %66 = bitcast i64 %65 to double
  %67 = fcmp oeq double %66, 0.000000e+00
  %68 = fcmp oeq double %57, 0.000000e+00
  %69 = select i1 %67, i1 true, i1 %68
  br i1 %69, label %169, label %80

70:
  %71 = load float, ptr %39, align 4
  %72 = bitcast float %44 to i32
  %73 = lshr i32 %72, 23
  %74 = and i32 %73, 255
  %75 = bitcast float %42 to i32
  %76 = lshr i32 %75, 23
  %77 = and i32 %76, 255
  %78 = sub nsw i32 %74, %77
  %79 = icmp slt i32 %78, 96
  br i1 %79, label %99, label %95

80:
  %81 = getelementptr inbounds nuw i32, ptr %30, i64 %34
  %82 = load i32, ptr %81, align 4
  %83 = zext i32 %82 to i64
  %84 = shl nuw i64 %83, 32
  %85 = load i32, ptr %39, align 4
  %86 = zext i32 %85 to i64
  %87 = or disjoint i64 %84, %86
  %88 = bitcast i64 %87 to double
  %89 = lshr i32 %62, 20
  %90 = and i32 %89, 2047
  %91 = lshr i32 %53, 20
  %92 = and i32 %91, 2047
  %93 = sub nsw i32 %90, %92
  %94 = icmp slt i32 %93, 768
  br i1 %94, label %101, label %97

95:
  %96 = fcmp oeq float %71, %42
  br i1 %96, label %176, label %180

97:
  %98 = fcmp oeq double %88, %57
  br i1 %98, label %164, label %169

99:
  %100 = tail call i1 @llvm.is.fpclass.f32(float %42, i32 783)
  br i1 %100, label %103, label %176

101:
  %102 = tail call i1 @llvm.is.fpclass.f64(double %57, i32 783)
  br i1 %102, label %106, label %164

103:
  %104 = fdiv float 1.000000e+00, %42
  %105 = fcmp une float %104, 0.000000e+00
  br i1 %105, label %109, label %129

106:
  %107 = fdiv double 1.000000e+00, %57
  %108 = fcmp une double %107, 0.000000e+00
  br i1 %108, label %111, label %132

109:
  %110 = tail call i1 @llvm.is.fpclass.f32(float %104, i32 783)
  br i1 %110, label %129, label %116

111:
  %112 = tail call i1 @llvm.is.fpclass.f64(double %107, i32 144)
  %113 = fdiv double %66, %57
  %114 = fcmp une double %113, 0.000000e+00
  %115 = and i1 %112, %114
  br i1 %115, label %121, label %132

116:
  %117 = fdiv float %44, %42
  %118 = fcmp une float %117, 0.000000e+00
  br i1 %118, label %119, label %129

119:
  %120 = tail call i1 @llvm.is.fpclass.f32(float %117, i32 144)
  br i1 %120, label %123, label %129

121:
  %122 = tail call i1 @llvm.is.fpclass.f64(double %113, i32 144)
  br i1 %122, label %125, label %127

123:
  %124 = fcmp oeq float %71, %42
  br i1 %124, label %176, label %180

125:
  %126 = fcmp oeq double %88, %57
  br i1 %126, label %164, label %169

127:
  %128 = fdiv double 1.000000e+00, %57
  br label %132

129:
  %130 = fdiv float 1.000000e+00, %42
  %131 = fcmp une float %130, 0.000000e+00
  br i1 %131, label %135, label %139

132:
  %133 = phi double [ %128, %127 ], [ %107, %106 ], [ %107, %111 ]
  %134 = fcmp une double %133, 0.000000e+00
  br i1 %134, label %137, label %142

135:
  %136 = tail call i1 @llvm.is.fpclass.f32(float %130, i32 783)
  br i1 %136, label %139, label %176

137:
  %138 = tail call i1 @llvm.is.fpclass.f64(double %133, i32 783)
  br i1 %138, label %142, label %164

139:
  %140 = fdiv float %44, %42
  %141 = fcmp une float %140, 0.000000e+00
  br i1 %141, label %145, label %153

142:
  %143 = fdiv double %66, %57
  %144 = fcmp une double %143, 0.000000e+00
  br i1 %144, label %147, label %161

145:
  %146 = tail call i1 @llvm.is.fpclass.f32(float %140, i32 783)
  br i1 %146, label %157, label %149

147:
  %148 = tail call i1 @llvm.is.fpclass.f64(double %143, i32 783)
  br i1 %148, label %161, label %151

149:
  %150 = fcmp oeq float %71, %44
  br i1 %150, label %176, label %180

151:
  %152 = fcmp oeq double %88, %66
  br i1 %152, label %164, label %169

153:
  %154 = bitcast float %44 to i32
  %155 = and i32 %154, 2080374784
  %156 = icmp samesign ugt i32 %155, 192937984
  br i1 %156, label %180, label %176

157:
  %158 = bitcast float %44 to i32
  %159 = and i32 %158, 2080374784
  %160 = icmp samesign ugt i32 %159, 192937984
  br i1 %160, label %180, label %176

161:
  %162 = and i64 %63, 2145386496
  %163 = icmp samesign ugt i64 %162, 55574528
  br i1 %163, label %169, label %164

164:
  %165 = phi i32 [ 128, %151 ], [ 128, %97 ], [ 128, %101 ], [ -128, %125 ], [ -128, %137 ], [ 128, %161 ]
  %166 = phi i32 [ 1, %151 ], [ 1, %97 ], [ 0, %101 ], [ 1, %125 ], [ 0, %137 ], [ 0, %161 ]
  %167 = tail call double @ldexp(double noundef %88, i32 noundef range(i32 -128, 129) %165)
  %168 = bitcast double %167 to i64
  br label %169

169:
  %170 = phi i32 [ 1, %97 ], [ 1, %151 ], [ 1, %125 ], [ 0, %161 ], [ 0, %48 ], [ %166, %164 ]
  %171 = phi i64 [ %87, %97 ], [ %87, %151 ], [ %87, %125 ], [ %87, %161 ], [ 9221120237041090560, %48 ], [ %168, %164 ]
  %172 = trunc i64 %171 to i32
  store i32 %172, ptr %39, align 4
  %173 = lshr i64 %171, 32
  %174 = trunc nuw i64 %173 to i32
  %175 = getelementptr inbounds nuw i32, ptr %30, i64 %34
  store i32 %174, ptr %175, align 4
  br label %183

176:
  %177 = phi i32 [ 64, %149 ], [ 64, %157 ], [ 64, %99 ], [ 64, %95 ], [ -64, %135 ], [ 64, %153 ], [ -64, %123 ]
  %178 = phi i32 [ 1, %149 ], [ 0, %157 ], [ 0, %99 ], [ 1, %95 ], [ 0, %135 ], [ 0, %153 ], [ 1, %123 ]
  %179 = tail call float @ldexpf(float noundef %71, i32 noundef range(i32 -128, 129) %177)
  br label %180

180:
  %181 = phi i32 [ %178, %176 ], [ 1, %149 ], [ 0, %153 ], [ 0, %157 ], [ 0, %40 ], [ 1, %95 ], [ 1, %123 ]
  %182 = phi float [ %179, %176 ], [ %71, %149 ], [ %71, %153 ], [ %71, %157 ], [ 0x7FF8000000000000, %40 ], [ %71, %95 ], [ %71, %123 ]
  store float %182, ptr %39, align 4
  br label %183

183:
  %184 = phi i32 [ %170, %169 ], [ %181, %180 ]
  %185 = phi ptr [ %49, %169 ], [ %41, %180 ]
  store i32 %184, ptr %185, align 4
  %186 = load i32, ptr %9, align 4
  br label %187

187:
  %188 = phi i32 [ %33, %32 ], [ %186, %183 ]
  %189 = add nuw nsw i64 %34, 1
  %190 = zext i32 %188 to i64
  %191 = icmp samesign ult i64 %189, %190
  br i1 %191, label %32, label %31
}

define void @lm_div_fmas(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 108
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %34, label %11

11:
  %12 = icmp eq i32 %4, 0
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %14 = zext i32 %3 to i64
  %15 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %14
  %16 = add i32 %3, 1
  %17 = zext i32 %16 to i64
  %18 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %17
  %19 = add i32 %3, 2
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %20
  %22 = add i32 %3, 3
  %23 = zext i32 %22 to i64
  %24 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %23
  %25 = add i32 %3, 4
  %26 = zext i32 %25 to i64
  %27 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %26
  %28 = add i32 %3, 5
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %29
  %31 = add i32 %3, 6
  %32 = zext i32 %31 to i64
  %33 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %32
  br label %35

34:
  ret void

35:
  %36 = phi i64 [ 0, %11 ], [ %169, %168 ]
  %37 = shl nuw i64 1, %36
  %38 = and i64 %37, %2
  %39 = icmp eq i64 %38, 0
  br i1 %39, label %168, label %40

40:
  %41 = getelementptr inbounds nuw i32, ptr %15, i64 %36
  %42 = getelementptr inbounds nuw i32, ptr %18, i64 %36
  br i1 %12, label %43, label %55

43:
  %44 = load float, ptr %41, align 4
  %45 = fpext float %44 to double
  %46 = load float, ptr %42, align 4
  %47 = fpext float %46 to double
  %48 = getelementptr inbounds nuw i32, ptr %21, i64 %36
  %49 = load float, ptr %48, align 4
  %50 = fpext float %49 to double
  %51 = tail call float @llvm.fma.f32(float %44, float %46, float %49)
  %52 = getelementptr inbounds nuw i32, ptr %24, i64 %36
  %53 = load i32, ptr %52, align 4
  %54 = icmp eq i32 %53, 0
  br i1 %54, label %166, label %85

55:
  %56 = load i32, ptr %41, align 4
  %57 = zext i32 %56 to i64
  %58 = load i32, ptr %42, align 4
  %59 = zext i32 %58 to i64
  %60 = shl nuw i64 %59, 32
  %61 = or disjoint i64 %60, %57
  %62 = bitcast i64 %61 to double
  %63 = getelementptr inbounds nuw i32, ptr %21, i64 %36
  %64 = load i32, ptr %63, align 4
  %65 = zext i32 %64 to i64
  %66 = getelementptr inbounds nuw i32, ptr %24, i64 %36
  %67 = load i32, ptr %66, align 4
  %68 = zext i32 %67 to i64
  %69 = shl nuw i64 %68, 32
  %70 = or disjoint i64 %69, %65
  %71 = bitcast i64 %70 to double
  %72 = getelementptr inbounds nuw i32, ptr %27, i64 %36
  %73 = load i32, ptr %72, align 4
  %74 = zext i32 %73 to i64
  %75 = getelementptr inbounds nuw i32, ptr %30, i64 %36
  %76 = load i32, ptr %75, align 4
  %77 = zext i32 %76 to i64
  %78 = shl nuw i64 %77, 32
  %79 = or disjoint i64 %78, %74
  %80 = bitcast i64 %79 to double
  %81 = tail call double @llvm.fma.f64(double %62, double %71, double %80)
  %82 = getelementptr inbounds nuw i32, ptr %33, i64 %36
  %83 = load i32, ptr %82, align 4
  %84 = icmp eq i32 %83, 0
  br i1 %84, label %160, label %93

85:
  %86 = fpext float %51 to double
  %87 = fsub double %86, %86
  %88 = fcmp oeq double %87, 0.000000e+00
  %89 = bitcast float %49 to i32
  %90 = and i32 %89, 1073741824
  %91 = icmp eq i32 %90, 0
  %92 = select i1 %91, i32 -64, i32 64
  br i1 %88, label %101, label %158

93:
  %94 = fsub double %81, %81
  %95 = fcmp une double %94, 0.000000e+00
  %96 = and i32 %76, 1073741824
  %97 = icmp ne i32 %96, 0
  %98 = select i1 %97, i32 128, i32 -128
  %99 = tail call double @ldexp(double noundef %81, i32 noundef range(i32 -128, 129) %98)
  %100 = or i1 %95, %97
  br i1 %100, label %160, label %125

101:
  %102 = fmul double %45, %47
  %103 = fadd double %102, %50
  %104 = fsub double %103, %102
  %105 = fsub double %103, %104
  %106 = fsub double %102, %105
  %107 = fsub double %50, %104
  %108 = fadd double %107, %106
  %109 = fcmp une double %108, 0.000000e+00
  br i1 %109, label %110, label %121

110:
  %111 = bitcast double %103 to i64
  %112 = and i64 %111, 1
  %113 = icmp eq i64 %112, 0
  br i1 %113, label %114, label %121

114:
  %115 = fcmp ogt double %108, 0.000000e+00
  %116 = fcmp ule double %103, 0.000000e+00
  %117 = xor i1 %116, %115
  %118 = select i1 %117, i64 1, i64 -1
  %119 = add i64 %118, %111
  %120 = bitcast i64 %119 to double
  br label %121

121:
  %122 = phi double [ %103, %110 ], [ %120, %114 ], [ %103, %101 ]
  %123 = tail call double @ldexp(double noundef %122, i32 noundef range(i32 -128, 129) %92)
  %124 = fptrunc double %123 to float
  br label %166

125:
  %126 = tail call double @ldexp(double noundef %99, i32 noundef 128)
  %127 = fsub double %81, %126
  %128 = fmul double %62, %71
  %129 = fneg double %128
  %130 = tail call double @llvm.fma.f64(double %62, double %71, double %129)
  %131 = fadd double %128, %80
  %132 = fsub double %131, %128
  %133 = fsub double %131, %132
  %134 = fsub double %128, %133
  %135 = fsub double %80, %132
  %136 = fadd double %135, %134
  %137 = fsub double %131, %81
  %138 = fadd double %130, %136
  %139 = fadd double %137, %138
  %140 = fcmp ogt double %139, 0.000000e+00
  %141 = zext i1 %140 to i32
  %142 = fcmp olt double %139, 0.000000e+00
  %143 = sext i1 %142 to i32
  %144 = add nsw i32 %143, %141
  %145 = tail call double @ldexp(double noundef 1.000000e+00, i32 noundef -1074)
  %146 = tail call double @ldexp(double noundef 1.000000e+00, i32 noundef -947)
  %147 = fcmp oeq double %127, %146
  %148 = icmp sgt i32 %144, 0
  %149 = select i1 %147, i1 %148, i1 false
  %150 = fadd double %99, %145
  %151 = select i1 %149, double %150, double %99
  %152 = fneg double %146
  %153 = fcmp oeq double %127, %152
  %154 = icmp slt i32 %144, 0
  %155 = select i1 %153, i1 %154, i1 false
  %156 = fsub double %151, %145
  %157 = select i1 %155, double %156, double %151
  br label %160

158:
  %159 = tail call float @ldexpf(float noundef %51, i32 noundef range(i32 -128, 129) %92)
  br label %166

160:
  %161 = phi double [ %81, %55 ], [ %99, %93 ], [ %157, %125 ]
  %162 = bitcast double %161 to i64
  %163 = trunc i64 %162 to i32
  store i32 %163, ptr %41, align 4
  %164 = lshr i64 %162, 32
  %165 = trunc nuw i64 %164 to i32
  store i32 %165, ptr %42, align 4
  br label %168

166:
  %167 = phi float [ %159, %158 ], [ %124, %121 ], [ %51, %43 ]
  store float %167, ptr %41, align 4
  br label %168

168:
  %169 = add nuw nsw i64 %36, 1
  %170 = load i32, ptr %8, align 4
  %171 = zext i32 %170 to i64
  %172 = icmp samesign ult i64 %169, %171
  br i1 %172, label %35, label %34
}

declare double @llvm.fma.f64(double, double, double)

declare float @llvm.fma.f32(float, float, float)

define void @lm_div_fixup(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = icmp eq i32 %4, 0
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 108
  %10 = load i32, ptr %9, align 4
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %33, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %14 = zext i32 %3 to i64
  %15 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %14
  %16 = add i32 %3, 1
  %17 = zext i32 %16 to i64
  %18 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %17
  %19 = add i32 %3, 2
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %20
  %22 = add i32 %3, 3
  %23 = zext i32 %22 to i64
  %24 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %23
  %25 = add i32 %3, 4
  %26 = zext i32 %25 to i64
  %27 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %26
  %28 = add i32 %3, 5
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds nuw [64 x i32], ptr %13, i64 %29
  %31 = select i1 %6, i32 -150, i32 -1075
  %32 = select i1 %6, i32 160, i32 1100
  br label %34

33:
  ret void

34:
  %35 = phi i64 [ 0, %12 ], [ %152, %151 ]
  %36 = shl nuw i64 1, %35
  %37 = and i64 %36, %2
  %38 = icmp eq i64 %37, 0
  br i1 %38, label %151, label %39

39:
  %40 = getelementptr inbounds nuw i32, ptr %15, i64 %35
  br i1 %6, label %73, label %41

41:
  %42 = load i32, ptr %40, align 4
  %43 = zext i32 %42 to i64
  %44 = getelementptr inbounds nuw i32, ptr %18, i64 %35
  %45 = load i32, ptr %44, align 4
  %46 = zext i32 %45 to i64
  %47 = shl nuw i64 %46, 32
  %48 = or disjoint i64 %47, %43
  %49 = bitcast i64 %48 to double
  %50 = getelementptr inbounds nuw i32, ptr %21, i64 %35
  %51 = load i32, ptr %50, align 4
  %52 = zext i32 %51 to i64
  %53 = getelementptr inbounds nuw i32, ptr %24, i64 %35
  %54 = load i32, ptr %53, align 4
  %55 = zext i32 %54 to i64
  %56 = shl nuw i64 %55, 32
  %57 = or disjoint i64 %56, %52
  %58 = bitcast i64 %57 to double
  %59 = getelementptr inbounds nuw i32, ptr %27, i64 %35
  %60 = load i32, ptr %59, align 4
  %61 = zext i32 %60 to i64
  %62 = getelementptr inbounds nuw i32, ptr %30, i64 %35
  %63 = load i32, ptr %62, align 4
  %64 = zext i32 %63 to i64
  %65 = shl nuw i64 %64, 32
  %66 = or disjoint i64 %65, %61
  %67 = bitcast i64 %66 to double
  %68 = tail call double @llvm.fabs.f64(double %49)
  %69 = lshr i32 %63, 20
  %70 = and i32 %69, 2047
  %71 = lshr i32 %54, 20
  %72 = and i32 %71, 2047
  br label %89

73:
  %74 = load float, ptr %40, align 4
  %75 = getelementptr inbounds nuw i32, ptr %18, i64 %35
  %76 = load float, ptr %75, align 4
  %77 = fpext float %76 to double
  %78 = getelementptr inbounds nuw i32, ptr %21, i64 %35
  %79 = load float, ptr %78, align 4
  %80 = fpext float %79 to double
  %81 = tail call float @llvm.fabs.f32(float %74)
  %82 = fpext float %81 to double
  %83 = bitcast float %79 to i32
  %84 = lshr i32 %83, 23
  %85 = and i32 %84, 255
  %86 = bitcast float %76 to i32
  %87 = lshr i32 %86, 23
  %88 = and i32 %87, 255
  br label %89

89:
  %90 = phi i32 [ %70, %41 ], [ %85, %73 ]
  %91 = phi double [ %58, %41 ], [ %77, %73 ]
  %92 = phi double [ %67, %41 ], [ %80, %73 ]
  %93 = phi double [ %68, %41 ], [ %82, %73 ]
  %94 = phi i32 [ %72, %41 ], [ %88, %73 ]
  %95 = sub nsw i32 %90, %94
  %96 = fcmp ord double %92, 0.000000e+00
  %97 = fcmp ord double %91, 0.000000e+00
  %98 = select i1 %96, i1 %97, i1 false
  br i1 %98, label %111, label %99

99:
  %100 = fadd double %92, %92
  %101 = fadd double %91, %91
  %102 = select i1 %96, double %101, double %100
  br i1 %6, label %109, label %103

103:
  %104 = bitcast double %102 to i64
  %105 = trunc i64 %104 to i32
  store i32 %105, ptr %40, align 4
  %106 = lshr i64 %104, 32
  %107 = trunc nuw i64 %106 to i32
  %108 = getelementptr inbounds nuw i32, ptr %18, i64 %35
  store i32 %107, ptr %108, align 4
  br label %151

109:
  %110 = fptrunc double %102 to float
  store float %110, ptr %40, align 4
  br label %151

111:
  %112 = fcmp oeq double %92, 0.000000e+00
  %113 = fcmp oeq double %91, 0.000000e+00
  %114 = select i1 %112, i1 %113, i1 false
  br i1 %114, label %121, label %115

115:
  %116 = fsub double %92, %92
  %117 = fcmp ord double %116, 0.000000e+00
  br i1 %117, label %125, label %118

118:
  %119 = fsub double %91, %91
  %120 = fcmp ord double %119, 0.000000e+00
  br i1 %120, label %135, label %121

121:
  br i1 %6, label %124, label %122

122:
  store i32 0, ptr %40, align 4
  %123 = getelementptr inbounds nuw i32, ptr %18, i64 %35
  store i32 -524288, ptr %123, align 4
  br label %151

124:
  store float 0xFFF8000000000000, ptr %40, align 4
  br label %151

125:
  br i1 %113, label %135, label %126

126:
  %127 = fsub double %91, %91
  %128 = fcmp uno double %127, 0.000000e+00
  %129 = or i1 %128, %112
  %130 = icmp slt i32 %95, %31
  %131 = select i1 %129, i1 true, i1 %130
  br i1 %131, label %135, label %132

132:
  %133 = icmp sgt i32 %95, %32
  br i1 %133, label %134, label %135

134:
  br label %135

135:
  %136 = phi double [ %93, %132 ], [ 0x7FF0000000000000, %125 ], [ 0.000000e+00, %126 ], [ 0x7FF0000000000000, %134 ], [ 0x7FF0000000000000, %118 ]
  %137 = bitcast double %91 to i64
  %138 = bitcast double %92 to i64
  %139 = xor i64 %138, %137
  %140 = fneg double %136
  %141 = icmp slt i64 %139, 0
  %142 = select i1 %141, double %140, double %136
  br i1 %6, label %149, label %143

143:
  %144 = bitcast double %142 to i64
  %145 = trunc i64 %144 to i32
  store i32 %145, ptr %40, align 4
  %146 = lshr i64 %144, 32
  %147 = trunc nuw i64 %146 to i32
  %148 = getelementptr inbounds nuw i32, ptr %18, i64 %35
  store i32 %147, ptr %148, align 4
  br label %151

149:
  %150 = fptrunc double %142 to float
  store float %150, ptr %40, align 4
  br label %151

151:
  %152 = add nuw nsw i64 %35, 1
  %153 = load i32, ptr %9, align 4
  %154 = zext i32 %153 to i64
  %155 = icmp samesign ult i64 %152, %154
  br i1 %155, label %34, label %33
}

define void @lm_fma_f16(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 108
  %8 = load i32, ptr %7, align 4
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %20, label %10

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %12 = zext i32 %3 to i64
  %13 = getelementptr inbounds nuw [64 x i32], ptr %11, i64 %12
  %14 = add i32 %3, 1
  %15 = zext i32 %14 to i64
  %16 = getelementptr inbounds nuw [64 x i32], ptr %11, i64 %15
  %17 = add i32 %3, 2
  %18 = zext i32 %17 to i64
  %19 = getelementptr inbounds nuw [64 x i32], ptr %11, i64 %18
  br label %21

20:
  ret void

21:
  %22 = phi i32 [ %8, %10 ], [ %142, %141 ]
  %23 = phi i64 [ 0, %10 ], [ %143, %141 ]
  %24 = shl nuw i64 1, %23
  %25 = and i64 %24, %2
  %26 = icmp eq i64 %25, 0
  br i1 %26, label %141, label %27

27:
  %28 = getelementptr inbounds nuw i32, ptr %13, i64 %23
  %29 = load i32, ptr %28, align 4
  %30 = and i32 %29, 65535
  %31 = tail call float @decode(i32 noundef 1, i32 noundef %30)
  %32 = fpext float %31 to double
  %33 = getelementptr inbounds nuw i32, ptr %16, i64 %23
  %34 = load i32, ptr %33, align 4
  %35 = and i32 %34, 65535
  %36 = tail call float @decode(i32 noundef 1, i32 noundef %35)
  %37 = fpext float %36 to double
  %38 = fmul double %32, %37
  %39 = getelementptr inbounds nuw i32, ptr %19, i64 %23
  %40 = load i32, ptr %39, align 4
  %41 = and i32 %40, 65535
  %42 = tail call float @decode(i32 noundef 1, i32 noundef %41)
  %43 = fpext float %42 to double
  %44 = fadd double %38, %43
  %45 = fsub double %44, %38
  %46 = fsub double %44, %45
  %47 = fsub double %38, %46
  %48 = fsub double %43, %45
  %49 = fadd double %48, %47
  %50 = fcmp une double %49, 0.000000e+00
  br i1 %50, label %51, label %65

51:
  %52 = bitcast double %44 to i64
  %53 = and i64 %52, 1
  %54 = icmp eq i64 %53, 0
  %55 = fsub double %44, %44
  %56 = fcmp ord double %55, %44
  %57 = and i1 %56, %54
  br i1 %57, label %58, label %65

58:
  %59 = fcmp ogt double %49, 0.000000e+00
  %60 = fcmp ule double %44, 0.000000e+00
  %61 = xor i1 %60, %59
  %62 = select i1 %61, i64 1, i64 -1
  %63 = add i64 %62, %52
  %64 = bitcast i64 %63 to double
  br label %65

65:
  %66 = phi double [ %44, %51 ], [ %44, %27 ], [ %64, %58 ]
  %67 = fptrunc double %66 to float
  %68 = fpext float %67 to double
  %69 = fsub double %66, %68
  %70 = fcmp une double %69, 0.000000e+00
  br i1 %70, label %71, label %87

71:
  %72 = bitcast float %67 to i32
  %73 = and i32 %72, 1
  %74 = icmp eq i32 %73, 0
  br i1 %74, label %75, label %87

75:
  %76 = fsub double %68, %68
  %77 = fcmp ord double %76, 0.000000e+00
  %78 = fcmp ord float %67, 0.000000e+00
  %79 = and i1 %78, %77
  br i1 %79, label %80, label %87

80:
  %81 = fcmp ogt double %69, 0.000000e+00
  %82 = fcmp ule double %66, 0.000000e+00
  %83 = xor i1 %82, %81
  %84 = select i1 %83, i32 1, i32 -1
  %85 = add i32 %84, %72
  %86 = bitcast i32 %85 to float
  br label %87

87:
  %88 = phi float [ %67, %71 ], [ %67, %75 ], [ %67, %65 ], [ %86, %80 ]
  %89 = bitcast float %88 to i32
  %90 = tail call float @llvm.fabs.f32(float %88)
  %91 = bitcast float %90 to i32
  %92 = lshr i32 %89, 16
  %93 = and i32 %92, 32768
  %94 = icmp samesign ugt i32 %91, 2139095040
  br i1 %94, label %95, label %97

95:
  %96 = or disjoint i32 %93, 32256
  br label %138

97:
  %98 = lshr i32 %91, 23
  %99 = icmp eq i32 %98, 0
  %100 = add nsw i32 %98, -127
  %101 = select i1 %99, i32 -126, i32 %100
  %102 = icmp slt i32 %101, -14
  %103 = sub nsw i32 -24, %101
  %104 = select i1 %102, i32 %103, i32 -10
  %105 = icmp sgt i32 %104, 2
  br i1 %105, label %131, label %106

106:
  %107 = add nsw i32 %104, 23
  %108 = and i32 %91, 8388607
  %109 = or disjoint i32 %108, 8388608
  %110 = select i1 %99, i32 %108, i32 %109
  %111 = lshr i32 %110, %107
  %112 = shl nsw i32 -1, %107
  %113 = xor i32 %112, -1
  %114 = and i32 %110, %113
  %115 = add nsw i32 %104, 22
  %116 = shl nuw nsw i32 1, %115
  %117 = icmp samesign ugt i32 %114, %116
  br i1 %117, label %124, label %118

118:
  %119 = icmp eq i32 %114, %116
  %120 = and i32 %111, 1
  %121 = icmp ne i32 %120, 0
  %122 = select i1 %119, i1 %121, i1 false
  %123 = zext i1 %122 to i32
  br label %124

124:
  %125 = phi i32 [ 1, %106 ], [ %123, %118 ]
  %126 = shl nsw i32 %101, 10
  %127 = add nsw i32 %126, 14336
  %128 = select i1 %102, i32 0, i32 %127
  %129 = add nsw i32 %111, %128
  %130 = add nsw i32 %129, %125
  br label %131

131:
  %132 = phi i32 [ %130, %124 ], [ 0, %97 ]
  %133 = icmp eq i32 %91, 2139095040
  %134 = icmp ugt i32 %132, 31743
  %135 = select i1 %133, i1 true, i1 %134
  %136 = select i1 %135, i32 31744, i32 %132
  %137 = or i32 %136, %93
  br label %138

138:
  %139 = phi i32 [ %137, %131 ], [ %96, %95 ]
  store i32 %139, ptr %28, align 4
  %140 = load i32, ptr %7, align 4
  br label %141

141:
  %142 = phi i32 [ %22, %21 ], [ %140, %138 ]
  %143 = add nuw nsw i64 %23, 1
  %144 = zext i32 %142 to i64
  %145 = icmp samesign ult i64 %143, %144
  br i1 %145, label %21, label %20
}

define void @lm_ptx_float(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7) local_unnamed_addr {
  %9 = alloca %struct.u256, align 8
  %10 = alloca %struct.u256, align 8
  %11 = alloca %struct.u256, align 8
  %12 = alloca %struct.u256, align 8
  %13 = alloca %struct.u256, align 8
  %14 = alloca %struct.u256, align 8
  %15 = alloca %struct.u256, align 8
  %16 = alloca [3 x i64], align 8
  %17 = alloca %struct.u256, align 8
  %18 = alloca %struct.u256, align 8
  %19 = alloca %struct.u256, align 8
  %20 = alloca %struct.u256, align 8
  %21 = alloca %struct.Number, align 8
  %22 = alloca %struct.u256, align 8
  %23 = alloca %struct.u256, align 8
  %24 = alloca %struct.u256, align 8
  %25 = alloca %struct.u256, align 8
  %26 = alloca %struct.u256, align 8
  %27 = alloca %struct.u256, align 8
  %28 = alloca %struct.u256, align 8
  %29 = alloca %struct.u256, align 8
  %30 = alloca %struct.u256, align 8
  %31 = alloca %struct.Number, align 8
  %32 = alloca %struct.Number, align 8
  %33 = alloca %struct.Number, align 8
  %34 = alloca %struct.Number, align 8
  %35 = alloca %struct.Number, align 8
  %36 = alloca [3 x i64], align 8
  %37 = alloca %struct.Number, align 8
  %38 = alloca %struct.Number, align 8
  %39 = alloca [3 x i64], align 8
  %40 = alloca [3 x i64], align 8
  %41 = icmp eq i32 %5, 9
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %43 = load ptr, ptr %42, align 8
  %44 = getelementptr inbounds nuw i8, ptr %43, i64 108
  %45 = load i32, ptr %44, align 4
  %46 = icmp eq i32 %45, 0
  br i1 %46, label %142, label %47

47:
  %48 = select i1 %41, i32 2, i32 1
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %50 = zext i32 %3 to i64
  %51 = getelementptr inbounds nuw [64 x i32], ptr %49, i64 %50
  %52 = add i32 %5, -1
  %53 = icmp ult i32 %52, 2
  %54 = add i32 %3, 1
  %55 = zext i32 %54 to i64
  %56 = getelementptr inbounds nuw [64 x i32], ptr %49, i64 %55
  %57 = getelementptr inbounds nuw i8, ptr %33, i64 4
  %58 = getelementptr inbounds nuw i8, ptr %33, i64 8
  %59 = getelementptr inbounds nuw i8, ptr %33, i64 24
  %60 = getelementptr inbounds nuw i8, ptr %33, i64 16
  %61 = and i32 %7, 1
  %62 = icmp eq i32 %61, 0
  %63 = icmp eq i32 %4, 5
  %64 = add i32 %48, %3
  %65 = zext i32 %64 to i64
  %66 = getelementptr inbounds nuw [64 x i32], ptr %49, i64 %65
  %67 = add i32 %64, 1
  %68 = zext i32 %67 to i64
  %69 = getelementptr inbounds nuw [64 x i32], ptr %49, i64 %68
  %70 = getelementptr inbounds nuw i8, ptr %34, i64 4
  %71 = getelementptr inbounds nuw i8, ptr %34, i64 8
  %72 = getelementptr inbounds nuw i8, ptr %34, i64 12
  %73 = getelementptr inbounds nuw i8, ptr %34, i64 16
  %74 = getelementptr inbounds nuw i8, ptr %34, i64 24
  %75 = getelementptr inbounds nuw i8, ptr %34, i64 48
  %76 = getelementptr inbounds nuw i8, ptr %32, i64 4
  %77 = getelementptr inbounds nuw i8, ptr %31, i64 4
  %78 = getelementptr inbounds nuw i8, ptr %32, i64 16
  %79 = getelementptr inbounds nuw i8, ptr %32, i64 24
  %80 = getelementptr inbounds nuw i8, ptr %32, i64 32
  %81 = getelementptr inbounds nuw i8, ptr %32, i64 40
  %82 = getelementptr inbounds nuw i8, ptr %31, i64 16
  %83 = getelementptr inbounds nuw i8, ptr %31, i64 24
  %84 = getelementptr inbounds nuw i8, ptr %31, i64 32
  %85 = getelementptr inbounds nuw i8, ptr %31, i64 40
  %86 = getelementptr inbounds nuw i8, ptr %27, i64 8
  %87 = getelementptr inbounds nuw i8, ptr %32, i64 8
  %88 = getelementptr inbounds nuw i8, ptr %31, i64 8
  %89 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %90 = getelementptr inbounds nuw i8, ptr %30, i64 8
  %91 = getelementptr inbounds nuw i8, ptr %27, i64 16
  %92 = getelementptr inbounds nuw i8, ptr %27, i64 24
  %93 = getelementptr inbounds nuw i8, ptr %35, i64 4
  %94 = getelementptr inbounds nuw i8, ptr %35, i64 8
  %95 = getelementptr inbounds nuw i8, ptr %35, i64 12
  %96 = getelementptr inbounds nuw i8, ptr %35, i64 16
  %97 = getelementptr inbounds nuw i8, ptr %35, i64 24
  %98 = getelementptr inbounds nuw i8, ptr %35, i64 48
  %99 = getelementptr inbounds nuw i8, ptr %35, i64 52
  %100 = getelementptr inbounds nuw i8, ptr %34, i64 32
  %101 = getelementptr inbounds nuw i8, ptr %34, i64 40
  %102 = getelementptr inbounds nuw i8, ptr %37, i64 4
  %103 = getelementptr inbounds nuw i8, ptr %37, i64 8
  %104 = getelementptr inbounds nuw i8, ptr %37, i64 12
  %105 = getelementptr inbounds nuw i8, ptr %37, i64 16
  %106 = getelementptr inbounds nuw i8, ptr %37, i64 24
  %107 = shl nuw nsw i32 %48, 1
  %108 = add i32 %107, %3
  %109 = zext i32 %108 to i64
  %110 = getelementptr inbounds nuw [64 x i32], ptr %49, i64 %109
  %111 = add i32 %108, 1
  %112 = zext i32 %111 to i64
  %113 = getelementptr inbounds nuw [64 x i32], ptr %49, i64 %112
  %114 = getelementptr inbounds nuw i8, ptr %38, i64 4
  %115 = getelementptr inbounds nuw i8, ptr %38, i64 8
  %116 = getelementptr inbounds nuw i8, ptr %38, i64 24
  %117 = getelementptr inbounds nuw i8, ptr %38, i64 16
  %118 = getelementptr inbounds nuw i8, ptr %35, i64 32
  %119 = getelementptr inbounds nuw i8, ptr %21, i64 4
  %120 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %121 = getelementptr inbounds nuw i8, ptr %21, i64 12
  %122 = getelementptr inbounds nuw i8, ptr %21, i64 16
  %123 = getelementptr inbounds nuw i8, ptr %21, i64 24
  %124 = getelementptr inbounds nuw i8, ptr %21, i64 48
  %125 = getelementptr inbounds nuw i8, ptr %21, i64 52
  %126 = getelementptr inbounds nuw i8, ptr %21, i64 32
  %127 = getelementptr inbounds nuw i8, ptr %21, i64 40
  %128 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %129 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %130 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %131 = getelementptr inbounds nuw i8, ptr %20, i64 8
  %132 = getelementptr inbounds nuw i8, ptr %17, i64 16
  %133 = getelementptr inbounds nuw i8, ptr %17, i64 24
  %134 = and i32 %7, 6
  %135 = icmp eq i32 %134, 0
  %136 = and i32 %7, 2
  %137 = icmp eq i32 %136, 0
  %138 = getelementptr inbounds nuw i8, ptr %33, i64 16
  %139 = getelementptr inbounds nuw i8, ptr %34, i64 16
  %140 = getelementptr inbounds nuw i8, ptr %33, i64 24
  %141 = getelementptr inbounds nuw i8, ptr %33, i64 16
  br label %143

142:
  ret void

143:
  %144 = phi i32 [ %45, %47 ], [ %862, %861 ]
  %145 = phi i64 [ 0, %47 ], [ %863, %861 ]
  %146 = shl nuw i64 1, %145
  %147 = and i64 %146, %2
  %148 = icmp eq i64 %147, 0
  br i1 %148, label %861, label %149

149:
  call void @llvm.lifetime.start.p0(ptr nonnull %33)
  %150 = getelementptr inbounds nuw i32, ptr %51, i64 %145
  %151 = load i32, ptr %150, align 4
  %152 = zext i32 %151 to i64
  br i1 %41, label %153, label %159

153:
  %154 = getelementptr inbounds nuw i32, ptr %56, i64 %145
  %155 = load i32, ptr %154, align 4
  %156 = zext i32 %155 to i64
  %157 = shl nuw i64 %156, 32
  %158 = or disjoint i64 %157, %152
  br label %164

159:
  %160 = and i64 %152, 65535
  %161 = select i1 %53, i64 %160, i64 %152
  switch i32 %5, label %163 [
    i32 2, label %162
    i32 1, label %164
  ]

162:
  br label %164

163:
  br label %164

164:
  %165 = phi i64 [ %161, %163 ], [ %161, %162 ], [ %158, %153 ], [ %161, %159 ]
  %166 = phi i64 [ 98784247816, %163 ], [ 30064771080, %162 ], [ 223338299403, %153 ], [ 42949672965, %159 ]
  %167 = trunc i64 %166 to i32
  %168 = lshr i64 %166, 32
  %169 = shl nuw nsw i64 1, %168
  %170 = add nsw i64 %169, -1
  %171 = and i64 %170, %165
  %172 = shl nsw i32 -1, %167
  %173 = xor i32 %172, -1
  %174 = lshr i64 %165, %168
  %175 = trunc i64 %174 to i32
  %176 = and i32 %175, %173
  store i32 0, ptr %33, align 8
  %177 = add nuw nsw i64 %168, %166
  %178 = and i64 %177, 127
  %179 = lshr i64 %165, %178
  %180 = trunc i64 %179 to i32
  %181 = and i32 %180, 1
  store i32 %181, ptr %57, align 4
  %182 = icmp eq i32 %176, %173
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %58, i8 0, i64 48, i1 false)
  br i1 %182, label %183, label %186

183:
  %184 = icmp eq i64 %171, 0
  %185 = select i1 %184, i32 1, i32 2
  store i32 %185, ptr %33, align 8
  br label %197

186:
  %187 = trunc nuw nsw i64 %168 to i32
  %188 = icmp ne i32 %176, 0
  %189 = or i1 %62, %188
  %190 = select i1 %189, i64 %171, i64 0
  %191 = select i1 %188, i64 %169, i64 0
  %192 = or i64 %190, %191
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %59, i8 0, i64 24, i1 false)
  store i64 %192, ptr %60, align 8
  %193 = tail call i32 @llvm.umax.i32(i32 %176, i32 1)
  %194 = lshr i32 %173, 1
  %195 = add nuw nsw i32 %194, %187
  %196 = sub nsw i32 %193, %195
  store i32 %196, ptr %58, align 8
  br label %197

197:
  %198 = phi i64 [ 0, %183 ], [ %192, %186 ]
  %199 = phi i32 [ 0, %183 ], [ %196, %186 ]
  %200 = phi i32 [ %185, %183 ], [ 0, %186 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %34)
  call void @llvm.lifetime.start.p0(ptr nonnull %35)
  br i1 %63, label %625, label %201

201:
  call void @llvm.lifetime.start.p0(ptr nonnull %36)
  %202 = getelementptr inbounds nuw i32, ptr %66, i64 %145
  %203 = load i32, ptr %202, align 4
  %204 = zext i32 %203 to i64
  br i1 %41, label %205, label %211

205:
  %206 = getelementptr inbounds nuw i32, ptr %69, i64 %145
  %207 = load i32, ptr %206, align 4
  %208 = zext i32 %207 to i64
  %209 = shl nuw i64 %208, 32
  %210 = or disjoint i64 %209, %204
  br label %216

211:
  %212 = and i64 %204, 65535
  %213 = select i1 %53, i64 %212, i64 %204
  switch i32 %5, label %215 [
    i32 2, label %214
    i32 1, label %216
  ]

214:
  br label %216

215:
  br label %216

216:
  %217 = phi i64 [ %213, %215 ], [ %213, %214 ], [ %210, %205 ], [ %213, %211 ]
  %218 = phi i64 [ 98784247816, %215 ], [ 30064771080, %214 ], [ 223338299403, %205 ], [ 42949672965, %211 ]
  %219 = trunc i64 %218 to i32
  %220 = lshr i64 %218, 32
  %221 = shl nuw nsw i64 1, %220
  %222 = add nsw i64 %221, -1
  %223 = and i64 %222, %217
  %224 = shl nsw i32 -1, %219
  %225 = xor i32 %224, -1
  %226 = lshr i64 %217, %220
  %227 = trunc i64 %226 to i32
  %228 = and i32 %227, %225
  %229 = add nuw nsw i64 %220, %218
  %230 = and i64 %229, 127
  %231 = lshr i64 %217, %230
  %232 = trunc i64 %231 to i32
  %233 = and i32 %232, 1
  %234 = icmp eq i32 %228, %225
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %36, i8 0, i64 24, i1 false)
  br i1 %234, label %235, label %238

235:
  %236 = icmp eq i64 %223, 0
  %237 = select i1 %236, i32 1, i32 2
  br label %249

238:
  %239 = trunc nuw nsw i64 %220 to i32
  %240 = icmp ne i32 %228, 0
  %241 = or i1 %62, %240
  %242 = select i1 %241, i64 %223, i64 0
  %243 = select i1 %240, i64 %221, i64 0
  %244 = or i64 %242, %243
  %245 = tail call i32 @llvm.umax.i32(i32 %228, i32 1)
  %246 = lshr i32 %225, 1
  %247 = add nuw nsw i32 %246, %239
  %248 = sub nsw i32 %245, %247
  br label %249

249:
  %250 = phi i32 [ %237, %235 ], [ 0, %238 ]
  %251 = phi i64 [ 0, %235 ], [ %244, %238 ]
  %252 = phi i32 [ 0, %235 ], [ %248, %238 ]
  store i32 %250, ptr %34, align 8
  store i32 %233, ptr %70, align 4
  store i32 %252, ptr %71, align 8
  store i32 0, ptr %72, align 4
  store i64 %251, ptr %73, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %74, ptr noundef nonnull align 8 dereferenceable(24) %36, i64 24, i1 false)
  store i64 0, ptr %75, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %36)
  switch i32 %4, label %825 [
    i32 1, label %253
    i32 2, label %255
    i32 3, label %292
    i32 4, label %376
  ]

253:
  %254 = xor i32 %233, 1
  store i32 %254, ptr %70, align 4
  call fastcc void @soft_add(ptr dead_on_unwind writable sret(%struct.Number) align 8 %35, ptr noundef nonnull byval(%struct.Number) align 8 %33, ptr noundef nonnull byval(%struct.Number) align 8 %34, i32 noundef %6)
  br label %826

255:
  %256 = xor i32 %233, %181
  %257 = add nsw i32 %199, %252
  %258 = icmp eq i32 %200, 0
  %259 = icmp eq i64 %198, 0
  %260 = icmp eq i32 %200, 2
  %261 = icmp eq i32 %250, 2
  %262 = or i1 %261, %260
  br i1 %262, label %288, label %263

263:
  %264 = load i64, ptr %101, align 8
  %265 = load i64, ptr %100, align 8
  %266 = load i64, ptr %74, align 8
  %267 = icmp eq i32 %250, 0
  %268 = or i64 %266, %265
  %269 = or i64 %268, %264
  %270 = or i64 %269, %251
  %271 = icmp eq i64 %270, 0
  %272 = icmp eq i32 %200, 1
  %273 = select i1 %272, i1 %267, i1 false
  %274 = select i1 %273, i1 %271, i1 false
  br i1 %274, label %288, label %275

275:
  %276 = icmp eq i32 %250, 1
  %277 = and i1 %276, %258
  %278 = select i1 %277, i1 %259, i1 false
  br i1 %278, label %288, label %279

279:
  %280 = or i1 %276, %272
  br i1 %280, label %288, label %281

281:
  %282 = zext nneg i64 %198 to i128
  %283 = zext nneg i64 %251 to i128
  %284 = mul nuw nsw i128 %282, %283
  %285 = trunc i128 %284 to i64
  %286 = lshr i128 %284, 64
  %287 = trunc nuw nsw i128 %286 to i64
  br label %288

288:
  %289 = phi i32 [ 0, %281 ], [ 2, %255 ], [ 2, %275 ], [ 2, %263 ], [ 1, %279 ]
  %290 = phi i64 [ %287, %281 ], [ 0, %255 ], [ 0, %275 ], [ 0, %263 ], [ 0, %279 ]
  %291 = phi i64 [ %285, %281 ], [ 0, %255 ], [ 0, %275 ], [ 0, %263 ], [ 0, %279 ]
  store i32 %289, ptr %35, align 8
  store i32 %256, ptr %93, align 4
  store i32 %257, ptr %94, align 8
  store i32 0, ptr %95, align 4
  store i64 %291, ptr %96, align 8
  store i64 %290, ptr %97, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %118, i8 0, i64 24, i1 false)
  br label %826

292:
  %293 = load i64, ptr %74, align 8
  %294 = load i64, ptr %100, align 8
  %295 = load i64, ptr %101, align 8
  store i32 0, ptr %37, align 8
  %296 = xor i32 %233, %181
  store i32 %296, ptr %102, align 4
  %297 = add nsw i32 %199, %252
  store i32 %297, ptr %103, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(44) %104, i8 0, i64 44, i1 false)
  %298 = icmp eq i32 %200, 0
  %299 = icmp eq i64 %198, 0
  %300 = icmp eq i32 %200, 2
  %301 = icmp eq i32 %250, 2
  %302 = or i1 %301, %300
  br i1 %302, label %316, label %303

303:
  %304 = icmp eq i32 %250, 0
  %305 = or i64 %293, %294
  %306 = or i64 %305, %295
  %307 = or i64 %306, %251
  %308 = icmp eq i64 %307, 0
  %309 = icmp eq i32 %200, 1
  %310 = select i1 %309, i1 %304, i1 false
  %311 = select i1 %310, i1 %308, i1 false
  br i1 %311, label %316, label %312

312:
  %313 = icmp eq i32 %250, 1
  %314 = and i1 %313, %298
  %315 = select i1 %314, i1 %299, i1 false
  br i1 %315, label %316, label %317

316:
  store i32 2, ptr %37, align 8
  br label %327

317:
  %318 = or i1 %313, %309
  br i1 %318, label %319, label %320

319:
  store i32 1, ptr %37, align 8
  br label %327

320:
  %321 = zext nneg i64 %198 to i128
  %322 = zext nneg i64 %251 to i128
  %323 = mul nuw nsw i128 %321, %322
  %324 = trunc i128 %323 to i64
  store i64 %324, ptr %105, align 8
  %325 = lshr i128 %323, 64
  %326 = trunc nuw nsw i128 %325 to i64
  store i64 %326, ptr %106, align 8
  br label %327

327:
  %328 = getelementptr inbounds nuw i32, ptr %110, i64 %145
  %329 = load i32, ptr %328, align 4
  %330 = zext i32 %329 to i64
  br i1 %41, label %331, label %337

331:
  %332 = getelementptr inbounds nuw i32, ptr %113, i64 %145
  %333 = load i32, ptr %332, align 4
  %334 = zext i32 %333 to i64
  %335 = shl nuw i64 %334, 32
  %336 = or disjoint i64 %335, %330
  br label %342

337:
  %338 = and i64 %330, 65535
  %339 = select i1 %53, i64 %338, i64 %330
  switch i32 %5, label %341 [
    i32 2, label %340
    i32 1, label %342
  ]

340:
  br label %342

341:
  br label %342

342:
  %343 = phi i64 [ %339, %341 ], [ %339, %340 ], [ %336, %331 ], [ %339, %337 ]
  %344 = phi i64 [ 98784247816, %341 ], [ 30064771080, %340 ], [ 223338299403, %331 ], [ 42949672965, %337 ]
  %345 = trunc i64 %344 to i32
  %346 = lshr i64 %344, 32
  %347 = shl nuw nsw i64 1, %346
  %348 = add nsw i64 %347, -1
  %349 = and i64 %348, %343
  %350 = shl nsw i32 -1, %345
  %351 = xor i32 %350, -1
  %352 = lshr i64 %343, %346
  %353 = trunc i64 %352 to i32
  %354 = and i32 %353, %351
  store i32 0, ptr %38, align 8
  %355 = add nuw nsw i64 %346, %344
  %356 = and i64 %355, 127
  %357 = lshr i64 %343, %356
  %358 = trunc i64 %357 to i32
  %359 = and i32 %358, 1
  store i32 %359, ptr %114, align 4
  %360 = icmp eq i32 %354, %351
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %115, i8 0, i64 48, i1 false)
  br i1 %360, label %361, label %364

361:
  %362 = icmp eq i64 %349, 0
  %363 = select i1 %362, i32 1, i32 2
  store i32 %363, ptr %38, align 8
  br label %375

364:
  %365 = trunc nuw nsw i64 %346 to i32
  %366 = icmp ne i32 %354, 0
  %367 = or i1 %62, %366
  %368 = select i1 %367, i64 %349, i64 0
  %369 = select i1 %366, i64 %347, i64 0
  %370 = or i64 %368, %369
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %116, i8 0, i64 24, i1 false)
  store i64 %370, ptr %117, align 8
  %371 = tail call i32 @llvm.umax.i32(i32 %354, i32 1)
  %372 = lshr i32 %351, 1
  %373 = add nuw nsw i32 %372, %365
  %374 = sub nsw i32 %371, %373
  store i32 %374, ptr %115, align 8
  br label %375

375:
  call fastcc void @soft_add(ptr dead_on_unwind writable sret(%struct.Number) align 8 %35, ptr noundef nonnull byval(%struct.Number) align 8 %37, ptr noundef nonnull byval(%struct.Number) align 8 %38, i32 noundef %6)
  br label %826

376:
  call void @llvm.lifetime.start.p0(ptr nonnull %39)
  call void @llvm.lifetime.start.p0(ptr nonnull %32)
  call void @llvm.lifetime.start.p0(ptr nonnull %31)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %31, ptr noundef nonnull align 8 dereferenceable(56) %34, i64 56, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %32, ptr noundef nonnull align 8 dereferenceable(56) %33, i64 56, i1 false)
  %377 = load i32, ptr %76, align 4
  %378 = load i32, ptr %77, align 4
  %379 = xor i32 %378, %377
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %39, i8 0, i64 24, i1 false)
  %380 = load i32, ptr %32, align 8
  %381 = icmp eq i32 %380, 0
  br i1 %381, label %382, label %391

382:
  %383 = load i64, ptr %78, align 8
  %384 = load i64, ptr %79, align 8
  %385 = or i64 %384, %383
  %386 = load i64, ptr %80, align 8
  %387 = or i64 %385, %386
  %388 = load i64, ptr %81, align 8
  %389 = or i64 %387, %388
  %390 = icmp eq i64 %389, 0
  br label %391

391:
  %392 = phi i1 [ false, %376 ], [ %390, %382 ]
  %393 = load i32, ptr %31, align 8
  %394 = icmp eq i32 %393, 0
  br i1 %394, label %395, label %404

395:
  %396 = load i64, ptr %82, align 8
  %397 = load i64, ptr %83, align 8
  %398 = or i64 %397, %396
  %399 = load i64, ptr %84, align 8
  %400 = or i64 %398, %399
  %401 = load i64, ptr %85, align 8
  %402 = or i64 %400, %401
  %403 = icmp eq i64 %402, 0
  br label %404

404:
  %405 = phi i1 [ false, %391 ], [ %403, %395 ]
  %406 = icmp eq i32 %380, 2
  %407 = icmp eq i32 %393, 2
  %408 = or i1 %406, %407
  %409 = select i1 %392, i1 %405, i1 false
  %410 = select i1 %408, i1 true, i1 %409
  br i1 %410, label %620, label %411

411:
  %412 = icmp eq i32 %380, 1
  %413 = icmp eq i32 %393, 1
  %414 = and i1 %412, %413
  br i1 %414, label %620, label %415

415:
  %416 = select i1 %412, i1 true, i1 %405
  br i1 %416, label %620, label %417

417:
  %418 = select i1 %413, i1 true, i1 %392
  br i1 %418, label %620, label %422

419:
  %420 = add nsw i64 %423, -1
  %421 = icmp eq i64 %423, 0
  br i1 %421, label %442, label %422

422:
  %423 = phi i64 [ %420, %419 ], [ 3, %417 ]
  %424 = getelementptr inbounds nuw i64, ptr %82, i64 %423
  %425 = load i64, ptr %424, align 8
  %426 = freeze i64 %425
  %427 = icmp eq i64 %426, 0
  br i1 %427, label %419, label %428

428:
  %429 = phi i64 [ %432, %431 ], [ 64, %422 ]
  %430 = icmp eq i64 %429, 0
  br i1 %430, label %419, label %431

431:
  %432 = add nsw i64 %429, -1
  %433 = shl nuw i64 1, %432
  %434 = and i64 %433, %426
  %435 = icmp eq i64 %434, 0
  br i1 %435, label %428, label %436

436:
  %437 = trunc nuw nsw i64 %423 to i32
  %438 = trunc nuw nsw i64 %429 to i32
  %439 = shl i32 %437, 6
  %440 = add i32 %439, 130
  %441 = add i32 %440, %438
  br label %442

442:
  %443 = phi i32 [ %441, %436 ], [ 130, %419 ]
  br label %447

444:
  %445 = add nsw i64 %448, -1
  %446 = icmp eq i64 %448, 0
  br i1 %446, label %466, label %447

447:
  %448 = phi i64 [ 3, %442 ], [ %445, %444 ]
  %449 = getelementptr inbounds nuw i64, ptr %78, i64 %448
  %450 = load i64, ptr %449, align 8
  %451 = freeze i64 %450
  %452 = icmp eq i64 %451, 0
  br i1 %452, label %444, label %453

453:
  %454 = phi i64 [ %457, %456 ], [ 64, %447 ]
  %455 = icmp eq i64 %454, 0
  br i1 %455, label %444, label %456

456:
  %457 = add nsw i64 %454, -1
  %458 = shl nuw i64 1, %457
  %459 = and i64 %458, %451
  %460 = icmp eq i64 %459, 0
  br i1 %460, label %453, label %461

461:
  %462 = trunc nuw nsw i64 %448 to i32
  %463 = trunc nuw nsw i64 %454 to i32
  %464 = shl i32 %462, 6
  %465 = add i32 %464, %463
  br label %466

466:
  %467 = phi i32 [ %465, %461 ], [ 0, %444 ]
  %468 = sub i32 %443, %467
  call void @llvm.lifetime.start.p0(ptr nonnull %27)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %27, i8 0, i64 32, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %28)
  call void @llvm.lifetime.start.p0(ptr nonnull %26)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %26, ptr noundef nonnull align 8 dereferenceable(32) %138, i64 32, i1 false)
  %469 = lshr i32 %468, 6
  %470 = and i32 %468, 63
  %471 = zext nneg i32 %470 to i64
  %472 = icmp ne i32 %470, 0
  %473 = sub nuw nsw i32 64, %470
  %474 = zext nneg i32 %473 to i64
  %475 = zext nneg i32 %469 to i64
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %28, i8 0, i64 32, i1 false)
  br label %476

476:
  %477 = phi i64 [ 0, %466 ], [ %493, %492 ]
  %478 = sub nsw i64 %477, %475
  %479 = icmp slt i64 %478, 0
  br i1 %479, label %492, label %480

480:
  %481 = getelementptr inbounds nuw i64, ptr %26, i64 %478
  %482 = load i64, ptr %481, align 8
  %483 = shl i64 %482, %471
  %484 = getelementptr inbounds nuw i64, ptr %28, i64 %477
  store i64 %483, ptr %484, align 8
  %485 = icmp ne i64 %477, %475
  %486 = and i1 %472, %485
  br i1 %486, label %487, label %492

487:
  %488 = getelementptr i8, ptr %481, i64 -8
  %489 = load i64, ptr %488, align 8
  %490 = lshr i64 %489, %474
  %491 = or i64 %490, %483
  store i64 %491, ptr %484, align 8
  br label %492

492:
  %493 = add nuw nsw i64 %477, 1
  %494 = icmp eq i64 %493, 4
  br i1 %494, label %495, label %476

495:
  call void @llvm.lifetime.end.p0(ptr nonnull %26)
  %496 = load i32, ptr %87, align 8
  %497 = load i32, ptr %88, align 8
  %498 = add i32 %468, %497
  %499 = sub i32 %496, %498
  br label %503

500:
  %501 = add nsw i64 %504, -1
  %502 = icmp eq i64 %504, 0
  br i1 %502, label %533, label %503

503:
  %504 = phi i64 [ 3, %495 ], [ %501, %500 ]
  %505 = getelementptr inbounds nuw i64, ptr %28, i64 %504
  %506 = load i64, ptr %505, align 8
  %507 = freeze i64 %506
  %508 = icmp eq i64 %507, 0
  br i1 %508, label %500, label %509

509:
  %510 = phi i64 [ %513, %512 ], [ 64, %503 ]
  %511 = icmp eq i64 %510, 0
  br i1 %511, label %500, label %512

512:
  %513 = add nsw i64 %510, -1
  %514 = shl nuw i64 1, %513
  %515 = and i64 %514, %507
  %516 = icmp eq i64 %515, 0
  br i1 %516, label %509, label %517

517:
  %518 = trunc nuw nsw i64 %504 to i32
  %519 = trunc nuw nsw i64 %510 to i32
  %520 = shl i32 %518, 6
  %521 = add i32 %520, %519
  %522 = icmp eq i32 %521, 0
  br i1 %522, label %533, label %536

523:
  %524 = load i64, ptr %27, align 8
  %525 = load i64, ptr %86, align 8
  %526 = load i64, ptr %91, align 8
  %527 = load i64, ptr %92, align 8
  %528 = or i64 %525, %524
  %529 = or i64 %528, %526
  %530 = or i64 %529, %527
  %531 = icmp ne i64 %530, 0
  %532 = zext i1 %531 to i32
  br label %533

533:
  %534 = phi i64 [ %618, %523 ], [ 0, %517 ], [ 0, %500 ]
  %535 = phi i32 [ %532, %523 ], [ 0, %517 ], [ 0, %500 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %28)
  call void @llvm.lifetime.end.p0(ptr nonnull %27)
  br label %620

536:
  %537 = phi i64 [ %618, %617 ], [ 0, %517 ]
  %538 = phi i32 [ %555, %617 ], [ %521, %517 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %29)
  call void @llvm.lifetime.start.p0(ptr nonnull %25)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %25, ptr noundef nonnull align 8 dereferenceable(32) %27, i64 32, i1 false)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %29, i8 0, i64 32, i1 false)
  br label %539

539:
  %540 = phi i64 [ 0, %536 ], [ %552, %551 ]
  %541 = getelementptr inbounds nuw i64, ptr %25, i64 %540
  %542 = load i64, ptr %541, align 8
  %543 = shl i64 %542, 1
  %544 = getelementptr inbounds nuw i64, ptr %29, i64 %540
  store i64 %543, ptr %544, align 8
  %545 = icmp eq i64 %540, 0
  br i1 %545, label %551, label %546

546:
  %547 = getelementptr i8, ptr %541, i64 -8
  %548 = load i64, ptr %547, align 8
  %549 = lshr i64 %548, 63
  %550 = or disjoint i64 %549, %543
  store i64 %550, ptr %544, align 8
  br label %551

551:
  %552 = add nuw nsw i64 %540, 1
  %553 = icmp eq i64 %552, 4
  br i1 %553, label %554, label %539

554:
  %555 = add nsw i32 %538, -1
  call void @llvm.lifetime.end.p0(ptr nonnull %25)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %27, ptr noundef nonnull align 8 dereferenceable(32) %29, i64 32, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %29)
  %556 = lshr i32 %555, 6
  %557 = zext nneg i32 %556 to i64
  %558 = getelementptr inbounds nuw i64, ptr %28, i64 %557
  %559 = load i64, ptr %558, align 8
  %560 = and i32 %555, 63
  %561 = zext nneg i32 %560 to i64
  %562 = lshr i64 %559, %561
  %563 = and i64 %562, 1
  %564 = load i64, ptr %27, align 8
  %565 = or i64 %563, %564
  store i64 %565, ptr %27, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %30)
  call void @llvm.lifetime.start.p0(ptr nonnull %24)
  store i64 %537, ptr %24, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %89, ptr noundef nonnull align 8 dereferenceable(24) %39, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %30, i8 0, i64 32, i1 false)
  br label %566

566:
  %567 = phi i64 [ 0, %554 ], [ %579, %578 ]
  %568 = getelementptr inbounds nuw i64, ptr %24, i64 %567
  %569 = load i64, ptr %568, align 8
  %570 = shl i64 %569, 1
  %571 = getelementptr inbounds nuw i64, ptr %30, i64 %567
  store i64 %570, ptr %571, align 8
  %572 = icmp eq i64 %567, 0
  br i1 %572, label %578, label %573

573:
  %574 = getelementptr i8, ptr %568, i64 -8
  %575 = load i64, ptr %574, align 8
  %576 = lshr i64 %575, 63
  %577 = or disjoint i64 %576, %570
  store i64 %577, ptr %571, align 8
  br label %578

578:
  %579 = add nuw nsw i64 %567, 1
  %580 = icmp eq i64 %579, 4
  br i1 %580, label %581, label %566

581:
  call void @llvm.lifetime.end.p0(ptr nonnull %24)
  %582 = load i64, ptr %30, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %39, ptr noundef nonnull align 8 dereferenceable(24) %90, i64 24, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %30)
  br label %583

583:
  %584 = phi i64 [ %587, %586 ], [ 4, %581 ]
  %585 = icmp eq i64 %584, 0
  br i1 %585, label %596, label %586

586:
  %587 = add nsw i64 %584, -1
  %588 = and i64 %587, 4294967295
  %589 = getelementptr inbounds nuw i64, ptr %27, i64 %588
  %590 = load i64, ptr %589, align 8
  %591 = getelementptr inbounds nuw i64, ptr %82, i64 %588
  %592 = load i64, ptr %591, align 8
  %593 = icmp eq i64 %590, %592
  br i1 %593, label %583, label %594

594:
  %595 = icmp ult i64 %590, %592
  br i1 %595, label %617, label %596

596:
  call void @llvm.lifetime.start.p0(ptr nonnull %23)
  call void @llvm.lifetime.start.p0(ptr nonnull %22)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %22, ptr noundef nonnull align 8 dereferenceable(32) %139, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %23, ptr noundef nonnull align 8 dereferenceable(32) %27, i64 32, i1 false)
  br label %597

597:
  %598 = phi i64 [ 0, %596 ], [ %613, %597 ]
  %599 = phi i64 [ 0, %596 ], [ %612, %597 ]
  %600 = getelementptr inbounds nuw i64, ptr %23, i64 %598
  %601 = load i64, ptr %600, align 8
  %602 = zext i64 %601 to i128
  %603 = getelementptr inbounds nuw i64, ptr %22, i64 %598
  %604 = load i64, ptr %603, align 8
  %605 = zext i64 %604 to i128
  %606 = zext nneg i64 %599 to i128
  %607 = add nuw nsw i128 %606, %605
  %608 = sub nsw i128 %602, %607
  %609 = trunc i128 %608 to i64
  store i64 %609, ptr %600, align 8
  %610 = lshr i128 %608, 64
  %611 = trunc nuw i128 %610 to i64
  %612 = and i64 %611, 1
  %613 = add nuw nsw i64 %598, 1
  %614 = icmp eq i64 %613, 4
  br i1 %614, label %615, label %597

615:
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %27, ptr noundef nonnull align 8 dereferenceable(32) %23, i64 32, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %23)
  call void @llvm.lifetime.end.p0(ptr nonnull %22)
  %616 = or i64 %582, 1
  br label %617

617:
  %618 = phi i64 [ %616, %615 ], [ %582, %594 ]
  %619 = icmp eq i32 %555, 0
  br i1 %619, label %523, label %536

620:
  %621 = phi i32 [ %499, %533 ], [ 0, %404 ], [ 0, %417 ], [ 0, %411 ], [ 0, %415 ]
  %622 = phi i64 [ %534, %533 ], [ 0, %404 ], [ 0, %417 ], [ 0, %411 ], [ 0, %415 ]
  %623 = phi i32 [ %535, %533 ], [ 0, %404 ], [ 0, %417 ], [ 0, %411 ], [ 0, %415 ]
  %624 = phi i32 [ 0, %533 ], [ 2, %404 ], [ 0, %417 ], [ 2, %411 ], [ 1, %415 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %32)
  call void @llvm.lifetime.end.p0(ptr nonnull %31)
  store i32 %624, ptr %35, align 8
  store i32 %379, ptr %93, align 4
  store i32 %621, ptr %94, align 8
  store i32 0, ptr %95, align 4
  store i64 %622, ptr %96, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %97, ptr noundef nonnull align 8 dereferenceable(24) %39, i64 24, i1 false)
  store i32 %623, ptr %98, align 8
  store i32 0, ptr %99, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %39)
  br label %826

625:
  call void @llvm.lifetime.start.p0(ptr nonnull %40)
  call void @llvm.lifetime.start.p0(ptr nonnull %21)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %21, ptr noundef nonnull align 8 dereferenceable(56) %33, i64 56, i1 false)
  %626 = load i32, ptr %21, align 8
  %627 = load i32, ptr %119, align 4
  %628 = load i32, ptr %120, align 8
  %629 = load i32, ptr %121, align 4
  %630 = load i64, ptr %122, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %40, ptr noundef nonnull align 8 dereferenceable(24) %140, i64 24, i1 false)
  %631 = load i32, ptr %124, align 8
  %632 = load i32, ptr %125, align 4
  switch i32 %626, label %641 [
    i32 2, label %820
    i32 0, label %633
  ]

633:
  %634 = load i64, ptr %123, align 8
  %635 = load i64, ptr %126, align 8
  %636 = load i64, ptr %127, align 8
  %637 = or i64 %634, %635
  %638 = or i64 %637, %636
  %639 = or i64 %638, %630
  %640 = icmp eq i64 %639, 0
  br i1 %640, label %820, label %643

641:
  %642 = icmp eq i32 %627, 0
  br i1 %642, label %645, label %820

643:
  %644 = icmp eq i32 %627, 0
  br i1 %644, label %647, label %820

645:
  %646 = icmp eq i32 %626, 1
  br i1 %646, label %820, label %647

647:
  br label %651

648:
  %649 = add nsw i64 %652, -1
  %650 = icmp eq i64 %652, 0
  br i1 %650, label %670, label %651

651:
  %652 = phi i64 [ %649, %648 ], [ 3, %647 ]
  %653 = getelementptr inbounds nuw i64, ptr %122, i64 %652
  %654 = load i64, ptr %653, align 8
  %655 = freeze i64 %654
  %656 = icmp eq i64 %655, 0
  br i1 %656, label %648, label %657

657:
  %658 = phi i64 [ %661, %660 ], [ 64, %651 ]
  %659 = icmp eq i64 %658, 0
  br i1 %659, label %648, label %660

660:
  %661 = add nsw i64 %658, -1
  %662 = shl nuw i64 1, %661
  %663 = and i64 %662, %655
  %664 = icmp eq i64 %663, 0
  br i1 %664, label %657, label %665

665:
  %666 = trunc nuw nsw i64 %652 to i32
  %667 = trunc nuw nsw i64 %658 to i32
  %668 = shl i32 %666, 6
  %669 = add i32 %668, %667
  br label %670

670:
  %671 = phi i32 [ %669, %665 ], [ 0, %648 ]
  %672 = sub i32 140, %671
  %673 = sub nsw i32 %628, %672
  %674 = and i32 %673, 1
  %675 = icmp eq i32 %674, 0
  %676 = sub i32 141, %671
  %677 = select i1 %675, i32 %672, i32 %676
  call void @llvm.lifetime.start.p0(ptr nonnull %15)
  call void @llvm.lifetime.start.p0(ptr nonnull %14)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %14, ptr noundef nonnull align 8 dereferenceable(32) %141, i64 32, i1 false)
  %678 = lshr i32 %677, 6
  %679 = and i32 %677, 63
  %680 = zext nneg i32 %679 to i64
  %681 = icmp ne i32 %679, 0
  %682 = sub nuw nsw i32 64, %679
  %683 = zext nneg i32 %682 to i64
  %684 = zext nneg i32 %678 to i64
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %15, i8 0, i64 32, i1 false)
  br label %685

685:
  %686 = phi i64 [ 0, %670 ], [ %702, %701 ]
  %687 = sub nsw i64 %686, %684
  %688 = icmp slt i64 %687, 0
  br i1 %688, label %701, label %689

689:
  %690 = getelementptr inbounds nuw i64, ptr %14, i64 %687
  %691 = load i64, ptr %690, align 8
  %692 = shl i64 %691, %680
  %693 = getelementptr inbounds nuw i64, ptr %15, i64 %686
  store i64 %692, ptr %693, align 8
  %694 = icmp ne i64 %686, %684
  %695 = and i1 %681, %694
  br i1 %695, label %696, label %701

696:
  %697 = getelementptr i8, ptr %690, i64 -8
  %698 = load i64, ptr %697, align 8
  %699 = lshr i64 %698, %683
  %700 = or i64 %699, %692
  store i64 %700, ptr %693, align 8
  br label %701

701:
  %702 = add nuw nsw i64 %686, 1
  %703 = icmp eq i64 %702, 4
  br i1 %703, label %704, label %685

704:
  call void @llvm.lifetime.end.p0(ptr nonnull %14)
  call void @llvm.lifetime.start.p0(ptr nonnull %16)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %16, i8 0, i64 24, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %17)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %17, i8 0, i64 32, i1 false)
  br label %717

705:
  %706 = sub nsw i32 %628, %677
  %707 = sdiv i32 %706, 2
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %40, ptr noundef nonnull align 8 dereferenceable(24) %16, i64 24, i1 false)
  %708 = load i64, ptr %17, align 8
  %709 = load i64, ptr %128, align 8
  %710 = or i64 %709, %708
  %711 = load i64, ptr %132, align 8
  %712 = or i64 %710, %711
  %713 = load i64, ptr %133, align 8
  %714 = or i64 %712, %713
  %715 = icmp ne i64 %714, 0
  %716 = zext i1 %715 to i32
  call void @llvm.lifetime.end.p0(ptr nonnull %17)
  call void @llvm.lifetime.end.p0(ptr nonnull %16)
  call void @llvm.lifetime.end.p0(ptr nonnull %15)
  br label %820

717:
  %718 = phi i32 [ 74, %704 ], [ %818, %816 ]
  %719 = phi i64 [ 0, %704 ], [ %817, %816 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %18)
  call void @llvm.lifetime.start.p0(ptr nonnull %13)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %13, ptr noundef nonnull align 8 dereferenceable(32) %17, i64 32, i1 false)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %18, i8 0, i64 32, i1 false)
  br label %720

720:
  %721 = phi i64 [ 0, %717 ], [ %733, %732 ]
  %722 = getelementptr inbounds nuw i64, ptr %13, i64 %721
  %723 = load i64, ptr %722, align 8
  %724 = shl i64 %723, 2
  %725 = getelementptr inbounds nuw i64, ptr %18, i64 %721
  store i64 %724, ptr %725, align 8
  %726 = icmp eq i64 %721, 0
  br i1 %726, label %732, label %727

727:
  %728 = getelementptr i8, ptr %722, i64 -8
  %729 = load i64, ptr %728, align 8
  %730 = lshr i64 %729, 62
  %731 = or disjoint i64 %730, %724
  store i64 %731, ptr %725, align 8
  br label %732

732:
  %733 = add nuw nsw i64 %721, 1
  %734 = icmp eq i64 %733, 4
  br i1 %734, label %735, label %720

735:
  call void @llvm.lifetime.end.p0(ptr nonnull %13)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %17, ptr noundef nonnull align 8 dereferenceable(32) %18, i64 32, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %18)
  %736 = shl i32 %718, 1
  %737 = lshr i32 %736, 6
  %738 = zext nneg i32 %737 to i64
  %739 = getelementptr inbounds nuw i64, ptr %15, i64 %738
  %740 = load i64, ptr %739, align 8
  %741 = and i32 %736, 62
  %742 = zext nneg i32 %741 to i64
  %743 = lshr i64 %740, %742
  %744 = and i64 %743, 3
  %745 = load i64, ptr %17, align 8
  %746 = or i64 %744, %745
  store i64 %746, ptr %17, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %19)
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  store i64 %719, ptr %12, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %129, ptr noundef nonnull align 8 dereferenceable(24) %16, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %19, i8 0, i64 32, i1 false)
  br label %747

747:
  %748 = phi i64 [ 0, %735 ], [ %760, %759 ]
  %749 = getelementptr inbounds nuw i64, ptr %12, i64 %748
  %750 = load i64, ptr %749, align 8
  %751 = shl i64 %750, 2
  %752 = getelementptr inbounds nuw i64, ptr %19, i64 %748
  store i64 %751, ptr %752, align 8
  %753 = icmp eq i64 %748, 0
  br i1 %753, label %759, label %754

754:
  %755 = getelementptr i8, ptr %749, i64 -8
  %756 = load i64, ptr %755, align 8
  %757 = lshr i64 %756, 62
  %758 = or disjoint i64 %757, %751
  store i64 %758, ptr %752, align 8
  br label %759

759:
  %760 = add nuw nsw i64 %748, 1
  %761 = icmp eq i64 %760, 4
  br i1 %761, label %762, label %747

762:
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  %763 = load i64, ptr %19, align 8
  %764 = or i64 %763, 1
  store i64 %764, ptr %19, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %20)
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  store i64 %719, ptr %11, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %130, ptr noundef nonnull align 8 dereferenceable(24) %16, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %20, i8 0, i64 32, i1 false)
  br label %765

765:
  %766 = phi i64 [ 0, %762 ], [ %778, %777 ]
  %767 = getelementptr inbounds nuw i64, ptr %11, i64 %766
  %768 = load i64, ptr %767, align 8
  %769 = shl i64 %768, 1
  %770 = getelementptr inbounds nuw i64, ptr %20, i64 %766
  store i64 %769, ptr %770, align 8
  %771 = icmp eq i64 %766, 0
  br i1 %771, label %777, label %772

772:
  %773 = getelementptr i8, ptr %767, i64 -8
  %774 = load i64, ptr %773, align 8
  %775 = lshr i64 %774, 63
  %776 = or disjoint i64 %775, %769
  store i64 %776, ptr %770, align 8
  br label %777

777:
  %778 = add nuw nsw i64 %766, 1
  %779 = icmp eq i64 %778, 4
  br i1 %779, label %780, label %765

780:
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  %781 = load i64, ptr %20, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %16, ptr noundef nonnull align 8 dereferenceable(24) %131, i64 24, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %20)
  br label %782

782:
  %783 = phi i64 [ %786, %785 ], [ 4, %780 ]
  %784 = icmp eq i64 %783, 0
  br i1 %784, label %795, label %785

785:
  %786 = add nsw i64 %783, -1
  %787 = and i64 %786, 4294967295
  %788 = getelementptr inbounds nuw i64, ptr %17, i64 %787
  %789 = load i64, ptr %788, align 8
  %790 = getelementptr inbounds nuw i64, ptr %19, i64 %787
  %791 = load i64, ptr %790, align 8
  %792 = icmp eq i64 %789, %791
  br i1 %792, label %782, label %793

793:
  %794 = icmp ult i64 %789, %791
  br i1 %794, label %816, label %795

795:
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %9, ptr noundef nonnull align 8 dereferenceable(32) %19, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %10, ptr noundef nonnull align 8 dereferenceable(32) %17, i64 32, i1 false)
  br label %796

796:
  %797 = phi i64 [ 0, %795 ], [ %812, %796 ]
  %798 = phi i64 [ 0, %795 ], [ %811, %796 ]
  %799 = getelementptr inbounds nuw i64, ptr %10, i64 %797
  %800 = load i64, ptr %799, align 8
  %801 = zext i64 %800 to i128
  %802 = getelementptr inbounds nuw i64, ptr %9, i64 %797
  %803 = load i64, ptr %802, align 8
  %804 = zext i64 %803 to i128
  %805 = zext nneg i64 %798 to i128
  %806 = add nuw nsw i128 %805, %804
  %807 = sub nsw i128 %801, %806
  %808 = trunc i128 %807 to i64
  store i64 %808, ptr %799, align 8
  %809 = lshr i128 %807, 64
  %810 = trunc nuw i128 %809 to i64
  %811 = and i64 %810, 1
  %812 = add nuw nsw i64 %797, 1
  %813 = icmp eq i64 %812, 4
  br i1 %813, label %814, label %796

814:
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %17, ptr noundef nonnull align 8 dereferenceable(32) %10, i64 32, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  %815 = or i64 %781, 1
  br label %816

816:
  %817 = phi i64 [ %815, %814 ], [ %781, %793 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %19)
  %818 = add nsw i32 %718, -1
  %819 = icmp eq i32 %718, 0
  br i1 %819, label %705, label %717

820:
  %821 = phi i32 [ %631, %645 ], [ %716, %705 ], [ %631, %633 ], [ %631, %625 ], [ %631, %643 ], [ %631, %641 ]
  %822 = phi i64 [ %630, %645 ], [ %817, %705 ], [ %630, %633 ], [ %630, %625 ], [ %630, %643 ], [ %630, %641 ]
  %823 = phi i32 [ %628, %645 ], [ %707, %705 ], [ %628, %633 ], [ %628, %625 ], [ %628, %643 ], [ %628, %641 ]
  %824 = phi i32 [ 1, %645 ], [ %626, %705 ], [ 0, %633 ], [ %626, %625 ], [ 2, %643 ], [ 2, %641 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %21)
  store i32 %824, ptr %35, align 8
  store i32 %627, ptr %93, align 4
  store i32 %823, ptr %94, align 8
  store i32 %629, ptr %95, align 4
  store i64 %822, ptr %96, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %97, ptr noundef nonnull align 8 dereferenceable(24) %40, i64 24, i1 false)
  store i32 %821, ptr %98, align 8
  store i32 %632, ptr %99, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %40)
  br label %826

825:
  call fastcc void @soft_add(ptr dead_on_unwind writable sret(%struct.Number) align 8 %35, ptr noundef nonnull byval(%struct.Number) align 8 %33, ptr noundef nonnull byval(%struct.Number) align 8 %34, i32 noundef %6)
  br label %826

826:
  %827 = tail call fastcc i64 @soft_pack(i32 noundef %5, ptr noundef nonnull byval(%struct.Number) align 8 %35, i32 noundef %6, i32 noundef %7)
  %828 = load i32, ptr %35, align 8
  %829 = icmp eq i32 %828, 2
  br i1 %829, label %852, label %830

830:
  switch i32 %5, label %833 [
    i32 9, label %834
    i32 1, label %831
    i32 2, label %832
  ]

831:
  br label %834

832:
  br label %834

833:
  br label %834

834:
  %835 = phi i64 [ 98784247816, %833 ], [ 30064771080, %832 ], [ 42949672965, %831 ], [ 223338299403, %830 ]
  %836 = trunc i64 %835 to i32
  %837 = lshr i64 %835, 32
  %838 = shl nuw nsw i32 1, %836
  %839 = lshr i32 %838, 1
  %840 = add nsw i32 %839, -1
  %841 = zext i32 %840 to i64
  %842 = shl i64 %841, %837
  br i1 %135, label %849, label %843

843:
  %844 = add nuw nsw i64 %837, %835
  %845 = and i64 %844, 127
  %846 = shl nuw i64 1, %845
  %847 = and i64 %846, %827
  %848 = icmp eq i64 %847, 0
  br i1 %848, label %849, label %852

849:
  %850 = tail call i64 @llvm.umin.i64(i64 %827, i64 %842)
  %851 = select i1 %137, i64 %827, i64 %850
  br label %852

852:
  %853 = phi i64 [ %827, %826 ], [ %851, %849 ], [ 0, %843 ]
  %854 = trunc i64 %853 to i32
  store i32 %854, ptr %150, align 4
  br i1 %41, label %855, label %859

855:
  %856 = lshr i64 %853, 32
  %857 = trunc nuw i64 %856 to i32
  %858 = getelementptr inbounds nuw i32, ptr %56, i64 %145
  store i32 %857, ptr %858, align 4
  br label %859

859:
  call void @llvm.lifetime.end.p0(ptr nonnull %35)
  call void @llvm.lifetime.end.p0(ptr nonnull %34)
  call void @llvm.lifetime.end.p0(ptr nonnull %33)
  %860 = load i32, ptr %44, align 4
  br label %861

861:
  %862 = phi i32 [ %144, %143 ], [ %860, %859 ]
  %863 = add nuw nsw i64 %145, 1
  %864 = zext i32 %862 to i64
  %865 = icmp samesign ult i64 %863, %864
  br i1 %865, label %143, label %142
}

define internal fastcc void @soft_add(ptr dead_on_unwind noalias nonnull writable writeonly sret(%struct.Number) align 8 captures(none) %0, ptr noundef byval(%struct.Number) align 8 captures(none) %1, ptr noundef byval(%struct.Number) align 8 captures(none) %2, i32 noundef %3) unnamed_addr {
  %5 = alloca %struct.u256, align 8
  %6 = alloca %struct.u256, align 8
  %7 = alloca %struct.u256, align 8
  %8 = alloca %struct.u256, align 8
  %9 = alloca %struct.u256, align 8
  %10 = alloca %struct.u256, align 8
  %11 = alloca %struct.u256, align 8
  %12 = alloca %struct.u256, align 8
  %13 = alloca %struct.u256, align 8
  %14 = alloca %struct.Number, align 8
  %15 = alloca %struct.u256, align 8
  %16 = alloca i32, align 4
  %17 = alloca %struct.u256, align 8
  %18 = load i32, ptr %1, align 8
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %20 = load i32, ptr %19, align 4
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %22 = load i32, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %24 = load i32, ptr %23, align 4
  %25 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %32 = load i64, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %34 = load i32, ptr %33, align 8
  %35 = getelementptr inbounds nuw i8, ptr %1, i64 52
  %36 = load i32, ptr %35, align 4
  %37 = icmp eq i32 %18, 2
  %38 = load i32, ptr %2, align 8
  %39 = icmp eq i32 %38, 2
  %40 = select i1 %37, i1 true, i1 %39
  br i1 %40, label %49, label %41

41:
  %42 = icmp eq i32 %18, 1
  %43 = icmp eq i32 %38, 1
  %44 = select i1 %42, i1 %43, i1 false
  br i1 %44, label %45, label %59

45:
  %46 = getelementptr inbounds nuw i8, ptr %2, i64 4
  %47 = load i32, ptr %46, align 4
  %48 = icmp eq i32 %20, %47
  br i1 %48, label %60, label %49

49:
  store i32 2, ptr %0, align 8
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 %20, ptr %50, align 4
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i32 %22, ptr %51, align 8
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 12
  store i32 %24, ptr %52, align 4
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store i64 %26, ptr %53, align 8
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 24
  store i64 %28, ptr %54, align 8
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 32
  store i64 %30, ptr %55, align 8
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 40
  store i64 %32, ptr %56, align 8
  %57 = getelementptr inbounds nuw i8, ptr %0, i64 48
  store i32 %34, ptr %57, align 8
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 52
  store i32 %36, ptr %58, align 4
  br label %316

59:
  br i1 %42, label %60, label %61

60:
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %0, ptr noundef nonnull align 8 dereferenceable(56) %1, i64 56, i1 false)
  br label %316

61:
  br i1 %43, label %62, label %63

62:
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %0, ptr noundef nonnull align 8 dereferenceable(56) %2, i64 56, i1 false)
  br label %316

63:
  %64 = or i64 %28, %30
  %65 = or i64 %64, %32
  %66 = or i64 %65, %26
  %67 = icmp eq i64 %66, 0
  %68 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %69 = load i64, ptr %68, align 8
  %70 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %71 = load i64, ptr %70, align 8
  %72 = or i64 %71, %69
  %73 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %74 = load i64, ptr %73, align 8
  %75 = or i64 %72, %74
  %76 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %77 = load i64, ptr %76, align 8
  %78 = or i64 %75, %77
  %79 = icmp eq i64 %78, 0
  br i1 %67, label %80, label %98

80:
  br i1 %79, label %81, label %97

81:
  %82 = getelementptr inbounds nuw i8, ptr %2, i64 4
  %83 = load i32, ptr %82, align 4
  %84 = icmp eq i32 %20, %83
  %85 = icmp eq i32 %3, 2
  %86 = zext i1 %85 to i32
  %87 = select i1 %84, i32 %20, i32 %86
  store i32 %18, ptr %0, align 8
  %88 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 %87, ptr %88, align 4
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i32 %22, ptr %89, align 8
  %90 = getelementptr inbounds nuw i8, ptr %0, i64 12
  store i32 %24, ptr %90, align 4
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store i64 %26, ptr %91, align 8
  %92 = getelementptr inbounds nuw i8, ptr %0, i64 24
  store i64 %28, ptr %92, align 8
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 32
  store i64 %30, ptr %93, align 8
  %94 = getelementptr inbounds nuw i8, ptr %0, i64 40
  store i64 %32, ptr %94, align 8
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 48
  store i32 %34, ptr %95, align 8
  %96 = getelementptr inbounds nuw i8, ptr %0, i64 52
  store i32 %36, ptr %96, align 4
  br label %316

97:
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %0, ptr noundef nonnull align 8 dereferenceable(56) %2, i64 56, i1 false)
  br label %316

98:
  br i1 %79, label %99, label %100

99:
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %0, ptr noundef nonnull align 8 dereferenceable(56) %1, i64 56, i1 false)
  br label %316

100:
  %101 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %102 = load i32, ptr %101, align 8
  %103 = icmp slt i32 %22, %102
  br i1 %103, label %104, label %107

104:
  call void @llvm.lifetime.start.p0(ptr nonnull %14)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %14, ptr noundef nonnull align 8 dereferenceable(56) %1, i64 56, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %1, ptr noundef nonnull align 8 dereferenceable(56) %2, i64 56, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %2, ptr noundef nonnull align 8 dereferenceable(56) %14, i64 56, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %14)
  %105 = load i32, ptr %21, align 8
  %106 = load i32, ptr %101, align 8
  br label %107

107:
  %108 = phi i32 [ %106, %104 ], [ %102, %100 ]
  %109 = phi i32 [ %105, %104 ], [ %22, %100 ]
  %110 = sub nsw i32 %109, %108
  br label %114

111:
  %112 = add nsw i64 %115, -1
  %113 = icmp eq i64 %115, 0
  br i1 %113, label %134, label %114

114:
  %115 = phi i64 [ 3, %107 ], [ %112, %111 ]
  %116 = getelementptr inbounds nuw i64, ptr %25, i64 %115
  %117 = load i64, ptr %116, align 8
  %118 = freeze i64 %117
  %119 = icmp eq i64 %118, 0
  br i1 %119, label %111, label %120

120:
  %121 = phi i64 [ %124, %123 ], [ 64, %114 ]
  %122 = icmp eq i64 %121, 0
  br i1 %122, label %111, label %123

123:
  %124 = add nsw i64 %121, -1
  %125 = shl nuw i64 1, %124
  %126 = and i64 %125, %118
  %127 = icmp eq i64 %126, 0
  br i1 %127, label %120, label %128

128:
  %129 = trunc nuw nsw i64 %115 to i32
  %130 = trunc nuw nsw i64 %121 to i32
  %131 = shl i32 %129, 6
  %132 = add i32 %131, %130
  %133 = sub i32 250, %132
  br label %134

134:
  %135 = phi i32 [ %133, %128 ], [ 250, %111 ]
  %136 = tail call i32 @llvm.umin.i32(i32 %110, i32 %135)
  call void @llvm.lifetime.start.p0(ptr nonnull %15)
  call void @llvm.lifetime.start.p0(ptr nonnull %13)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %13, ptr noundef nonnull align 8 dereferenceable(32) %25, i64 32, i1 false)
  %137 = lshr i32 %136, 6
  %138 = and i32 %136, 63
  %139 = zext nneg i32 %138 to i64
  %140 = icmp ne i32 %138, 0
  %141 = sub nuw nsw i32 64, %138
  %142 = zext nneg i32 %141 to i64
  %143 = zext nneg i32 %137 to i64
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %15, i8 0, i64 32, i1 false)
  br label %144

144:
  %145 = phi i64 [ 0, %134 ], [ %161, %160 ]
  %146 = sub nsw i64 %145, %143
  %147 = icmp slt i64 %146, 0
  br i1 %147, label %160, label %148

148:
  %149 = getelementptr inbounds nuw i64, ptr %13, i64 %146
  %150 = load i64, ptr %149, align 8
  %151 = shl i64 %150, %139
  %152 = getelementptr inbounds nuw i64, ptr %15, i64 %145
  store i64 %151, ptr %152, align 8
  %153 = icmp ne i64 %145, %143
  %154 = and i1 %140, %153
  br i1 %154, label %155, label %160

155:
  %156 = getelementptr i8, ptr %149, i64 -8
  %157 = load i64, ptr %156, align 8
  %158 = lshr i64 %157, %142
  %159 = or i64 %158, %151
  store i64 %159, ptr %152, align 8
  br label %160

160:
  %161 = add nuw nsw i64 %145, 1
  %162 = icmp eq i64 %161, 4
  br i1 %162, label %163, label %144

163:
  call void @llvm.lifetime.end.p0(ptr nonnull %13)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %25, ptr noundef nonnull align 8 dereferenceable(32) %15, i64 32, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %15)
  %164 = sub nsw i32 %109, %136
  call void @llvm.lifetime.start.p0(ptr nonnull %16)
  store i32 0, ptr %16, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %17)
  %165 = sub i32 %110, %136
  call fastcc void @shift_right(ptr dead_on_unwind writable sret(%struct.u256) align 8 %17, ptr noundef nonnull byval(%struct.u256) align 8 %68, i32 noundef %165, ptr noundef %16)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %68, ptr noundef nonnull align 8 dereferenceable(32) %17, i64 32, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %17)
  %166 = load i32, ptr %16, align 4
  %167 = load i32, ptr %19, align 4
  %168 = getelementptr inbounds nuw i8, ptr %2, i64 4
  %169 = load i32, ptr %168, align 4
  %170 = icmp eq i32 %167, %169
  br i1 %170, label %171, label %197

171:
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %11, ptr noundef nonnull align 8 dereferenceable(32) %68, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %12, ptr noundef nonnull align 8 dereferenceable(32) %25, i64 32, i1 false)
  br label %172

172:
  %173 = phi i64 [ 0, %171 ], [ %187, %172 ]
  %174 = phi i64 [ 0, %171 ], [ %186, %172 ]
  %175 = getelementptr inbounds nuw i64, ptr %12, i64 %173
  %176 = load i64, ptr %175, align 8
  %177 = zext i64 %176 to i128
  %178 = getelementptr inbounds nuw i64, ptr %11, i64 %173
  %179 = load i64, ptr %178, align 8
  %180 = zext i64 %179 to i128
  %181 = zext nneg i64 %174 to i128
  %182 = add nuw nsw i128 %177, %181
  %183 = add nuw nsw i128 %182, %180
  %184 = trunc i128 %183 to i64
  store i64 %184, ptr %175, align 8
  %185 = lshr i128 %183, 64
  %186 = trunc nuw nsw i128 %185 to i64
  %187 = add nuw nsw i64 %173, 1
  %188 = icmp eq i64 %187, 4
  br i1 %188, label %189, label %172

189:
  %190 = load i64, ptr %12, align 8
  %191 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %192 = load i64, ptr %191, align 8
  %193 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %194 = load i64, ptr %193, align 8
  %195 = getelementptr inbounds nuw i8, ptr %12, i64 24
  %196 = load i64, ptr %195, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  br label %301

197:
  %198 = phi i64 [ %201, %200 ], [ 4, %163 ]
  %199 = icmp eq i64 %198, 0
  br i1 %199, label %237, label %200

200:
  %201 = add nsw i64 %198, -1
  %202 = and i64 %201, 4294967295
  %203 = getelementptr inbounds nuw i64, ptr %25, i64 %202
  %204 = load i64, ptr %203, align 8
  %205 = getelementptr inbounds nuw i64, ptr %68, i64 %202
  %206 = load i64, ptr %205, align 8
  %207 = icmp eq i64 %204, %206
  br i1 %207, label %197, label %208

208:
  %209 = icmp ult i64 %204, %206
  br i1 %209, label %210, label %237

210:
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %9, ptr noundef nonnull align 8 dereferenceable(32) %25, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %10, ptr noundef nonnull align 8 dereferenceable(32) %68, i64 32, i1 false)
  br label %211

211:
  %212 = phi i64 [ 0, %210 ], [ %227, %211 ]
  %213 = phi i64 [ 0, %210 ], [ %226, %211 ]
  %214 = getelementptr inbounds nuw i64, ptr %10, i64 %212
  %215 = load i64, ptr %214, align 8
  %216 = zext i64 %215 to i128
  %217 = getelementptr inbounds nuw i64, ptr %9, i64 %212
  %218 = load i64, ptr %217, align 8
  %219 = zext i64 %218 to i128
  %220 = zext nneg i64 %213 to i128
  %221 = add nuw nsw i128 %220, %219
  %222 = sub nsw i128 %216, %221
  %223 = trunc i128 %222 to i64
  store i64 %223, ptr %214, align 8
  %224 = lshr i128 %222, 64
  %225 = trunc nuw i128 %224 to i64
  %226 = and i64 %225, 1
  %227 = add nuw nsw i64 %212, 1
  %228 = icmp eq i64 %227, 4
  br i1 %228, label %229, label %211

229:
  %230 = load i64, ptr %10, align 8
  %231 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %232 = load i64, ptr %231, align 8
  %233 = getelementptr inbounds nuw i8, ptr %10, i64 16
  %234 = load i64, ptr %233, align 8
  %235 = getelementptr inbounds nuw i8, ptr %10, i64 24
  %236 = load i64, ptr %235, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  br label %301

237:
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %7, ptr noundef nonnull align 8 dereferenceable(32) %68, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %8, ptr noundef nonnull align 8 dereferenceable(32) %25, i64 32, i1 false)
  br label %238

238:
  %239 = phi i64 [ 0, %237 ], [ %254, %238 ]
  %240 = phi i64 [ 0, %237 ], [ %253, %238 ]
  %241 = getelementptr inbounds nuw i64, ptr %8, i64 %239
  %242 = load i64, ptr %241, align 8
  %243 = zext i64 %242 to i128
  %244 = getelementptr inbounds nuw i64, ptr %7, i64 %239
  %245 = load i64, ptr %244, align 8
  %246 = zext i64 %245 to i128
  %247 = zext nneg i64 %240 to i128
  %248 = add nuw nsw i128 %247, %246
  %249 = sub nsw i128 %243, %248
  %250 = trunc i128 %249 to i64
  store i64 %250, ptr %241, align 8
  %251 = lshr i128 %249, 64
  %252 = trunc nuw i128 %251 to i64
  %253 = and i64 %252, 1
  %254 = add nuw nsw i64 %239, 1
  %255 = icmp eq i64 %254, 4
  br i1 %255, label %256, label %238

256:
  %257 = load i64, ptr %8, align 8
  %258 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %259 = load i64, ptr %258, align 8
  %260 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %261 = load i64, ptr %260, align 8
  %262 = getelementptr inbounds nuw i8, ptr %8, i64 24
  %263 = load i64, ptr %262, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  %264 = icmp eq i32 %166, 0
  br i1 %264, label %293, label %265

265:
  %266 = getelementptr inbounds nuw i8, ptr %5, i64 8
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %266, i8 0, i64 24, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  store i64 1, ptr %5, align 8
  store i64 %257, ptr %6, align 8
  %267 = getelementptr inbounds nuw i8, ptr %6, i64 8
  store i64 %259, ptr %267, align 8
  %268 = getelementptr inbounds nuw i8, ptr %6, i64 16
  store i64 %261, ptr %268, align 8
  %269 = getelementptr inbounds nuw i8, ptr %6, i64 24
  store i64 %263, ptr %269, align 8
  br label %270

270:
  %271 = phi i64 [ 0, %265 ], [ %286, %270 ]
  %272 = phi i64 [ 0, %265 ], [ %285, %270 ]
  %273 = getelementptr inbounds nuw i64, ptr %6, i64 %271
  %274 = load i64, ptr %273, align 8
  %275 = zext i64 %274 to i128
  %276 = getelementptr inbounds nuw i64, ptr %5, i64 %271
  %277 = load i64, ptr %276, align 8
  %278 = zext i64 %277 to i128
  %279 = zext nneg i64 %272 to i128
  %280 = add nuw nsw i128 %279, %278
  %281 = sub nsw i128 %275, %280
  %282 = trunc i128 %281 to i64
  store i64 %282, ptr %273, align 8
  %283 = lshr i128 %281, 64
  %284 = trunc nuw i128 %283 to i64
  %285 = and i64 %284, 1
  %286 = add nuw nsw i64 %271, 1
  %287 = icmp eq i64 %286, 4
  br i1 %287, label %288, label %270

288:
  %289 = load i64, ptr %6, align 8
  %290 = load i64, ptr %267, align 8
  %291 = load i64, ptr %268, align 8
  %292 = load i64, ptr %269, align 8
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  br label %301

293:
  %294 = or i64 %259, %261
  %295 = or i64 %294, %257
  %296 = or i64 %295, %263
  %297 = icmp eq i64 %296, 0
  br i1 %297, label %298, label %301

298:
  %299 = icmp eq i32 %3, 2
  %300 = zext i1 %299 to i32
  br label %301

301:
  %302 = phi i64 [ %194, %189 ], [ %261, %293 ], [ %261, %298 ], [ %234, %229 ], [ %291, %288 ]
  %303 = phi i64 [ %192, %189 ], [ %259, %293 ], [ %259, %298 ], [ %232, %229 ], [ %290, %288 ]
  %304 = phi i64 [ %190, %189 ], [ %257, %293 ], [ %257, %298 ], [ %230, %229 ], [ %289, %288 ]
  %305 = phi i64 [ %196, %189 ], [ %263, %293 ], [ %263, %298 ], [ %236, %229 ], [ %292, %288 ]
  %306 = phi i32 [ %167, %189 ], [ %167, %293 ], [ %300, %298 ], [ %169, %229 ], [ %167, %288 ]
  store i32 %18, ptr %0, align 8
  %307 = getelementptr inbounds nuw i8, ptr %0, i64 4
  store i32 %306, ptr %307, align 4
  %308 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i32 %164, ptr %308, align 8
  %309 = getelementptr inbounds nuw i8, ptr %0, i64 12
  store i32 %24, ptr %309, align 4
  %310 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store i64 %304, ptr %310, align 8
  %311 = getelementptr inbounds nuw i8, ptr %0, i64 24
  store i64 %303, ptr %311, align 8
  %312 = getelementptr inbounds nuw i8, ptr %0, i64 32
  store i64 %302, ptr %312, align 8
  %313 = getelementptr inbounds nuw i8, ptr %0, i64 40
  store i64 %305, ptr %313, align 8
  %314 = getelementptr inbounds nuw i8, ptr %0, i64 48
  store i32 %166, ptr %314, align 8
  %315 = getelementptr inbounds nuw i8, ptr %0, i64 52
  store i32 %36, ptr %315, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %16)
  br label %316

316:
  ret void
}

define internal fastcc i64 @soft_pack(i32 noundef %0, ptr noundef byval(%struct.Number) align 8 captures(none) %1, i32 noundef %2, i32 noundef %3) unnamed_addr {
  %5 = alloca %struct.u256, align 8
  %6 = alloca %struct.u256, align 8
  %7 = alloca %struct.u256, align 8
  %8 = alloca %struct.u256, align 8
  %9 = alloca %struct.u256, align 8
  switch i32 %0, label %12 [
    i32 9, label %13
    i32 1, label %10
    i32 2, label %11
  ]

10:
  br label %13

11:
  br label %13

12:
  br label %13

13:
  %14 = phi i64 [ 98784247816, %12 ], [ 30064771080, %11 ], [ 42949672965, %10 ], [ 223338299403, %4 ]
  %15 = trunc i64 %14 to i32
  %16 = lshr i64 %14, 32
  %17 = trunc nuw nsw i64 %16 to i32
  %18 = shl nsw i32 -1, %15
  %19 = xor i32 %18, -1
  %20 = lshr i32 %19, 1
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %22 = load i32, ptr %21, align 4
  %23 = zext i32 %22 to i64
  %24 = add nuw nsw i64 %16, %14
  %25 = and i64 %24, 127
  %26 = shl i64 %23, %25
  %27 = zext nneg i32 %19 to i64
  %28 = shl i64 %27, %16
  %29 = load i32, ptr %1, align 8
  switch i32 %29, label %42 [
    i32 2, label %30
    i32 1, label %36
  ]

30:
  %31 = and i32 %3, 2
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %33, label %277

33:
  switch i32 %0, label %35 [
    i32 9, label %277
    i32 1, label %34
    i32 2, label %34
  ]

34:
  br label %277

35:
  br label %277

36:
  %37 = shl i32 %3, 28
  %38 = ashr i32 %37, 31
  %39 = sext i32 %38 to i64
  %40 = add i64 %28, %39
  %41 = or i64 %40, %26
  br label %277

42:
  %43 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %44 = load i64, ptr %43, align 8
  %45 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %46 = load i64, ptr %45, align 8
  %47 = or i64 %46, %44
  %48 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %49 = load i64, ptr %48, align 8
  %50 = or i64 %47, %49
  %51 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %52 = load i64, ptr %51, align 8
  %53 = or i64 %50, %52
  %54 = icmp eq i64 %53, 0
  br i1 %54, label %58, label %55

55:
  %56 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %57 = load i32, ptr %56, align 8
  br label %63

58:
  %59 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %60 = load i32, ptr %59, align 8
  %61 = icmp eq i32 %60, 0
  br i1 %61, label %277, label %62

62:
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %45, i8 0, i64 24, i1 false)
  store i64 1, ptr %43, align 8
  br label %63

63:
  %64 = phi i32 [ %57, %55 ], [ -4000, %62 ]
  %65 = add nuw nsw i32 %20, %17
  %66 = sub nsw i32 1, %65
  br label %70

67:
  %68 = add nsw i64 %71, -1
  %69 = icmp eq i64 %71, 0
  br i1 %69, label %89, label %70

70:
  %71 = phi i64 [ 3, %63 ], [ %68, %67 ]
  %72 = getelementptr inbounds nuw i64, ptr %43, i64 %71
  %73 = load i64, ptr %72, align 8
  %74 = freeze i64 %73
  %75 = icmp eq i64 %74, 0
  br i1 %75, label %67, label %76

76:
  %77 = phi i64 [ %80, %79 ], [ 64, %70 ]
  %78 = icmp eq i64 %77, 0
  br i1 %78, label %67, label %79

79:
  %80 = add nsw i64 %77, -1
  %81 = shl nuw i64 1, %80
  %82 = and i64 %81, %74
  %83 = icmp eq i64 %82, 0
  br i1 %83, label %76, label %84

84:
  %85 = trunc nuw nsw i64 %71 to i32
  %86 = trunc nuw nsw i64 %77 to i32
  %87 = shl i32 %85, 6
  %88 = add i32 %87, %86
  br label %89

89:
  %90 = phi i32 [ %88, %84 ], [ 0, %67 ]
  %91 = xor i32 %17, -1
  %92 = add i32 %64, %91
  %93 = add i32 %92, %90
  %94 = and i32 %3, 1
  %95 = icmp eq i32 %94, 0
  %96 = tail call i32 @llvm.smax.i32(i32 %93, i32 %66)
  %97 = select i1 %95, i32 %96, i32 %93
  %98 = sub nsw i32 %97, %64
  %99 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %100 = load i32, ptr %99, align 8
  %101 = icmp sgt i32 %98, 0
  br i1 %101, label %102, label %185

102:
  %103 = add nsw i32 %98, -1
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %6, ptr noundef nonnull align 8 dereferenceable(32) %43, i64 32, i1 false)
  %104 = icmp samesign ugt i32 %98, 256
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %7, i8 0, i64 32, i1 false)
  br i1 %104, label %113, label %105

105:
  %106 = lshr i32 %103, 6
  %107 = and i32 %103, 63
  %108 = zext nneg i32 %107 to i64
  %109 = icmp ne i32 %107, 0
  %110 = sub nuw nsw i32 64, %107
  %111 = zext nneg i32 %110 to i64
  %112 = zext nneg i32 %106 to i64
  br label %128

113:
  %114 = load i64, ptr %6, align 8
  %115 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %116 = load i64, ptr %115, align 8
  %117 = or i64 %116, %114
  %118 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %119 = load i64, ptr %118, align 8
  %120 = or i64 %117, %119
  %121 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %122 = load i64, ptr %121, align 8
  %123 = or i64 %120, %122
  %124 = icmp ne i64 %123, 0
  %125 = zext i1 %124 to i32
  br label %162

126:
  %127 = icmp eq i32 %103, 0
  br i1 %127, label %162, label %147

128:
  %129 = phi i64 [ 0, %105 ], [ %145, %144 ]
  %130 = add nuw nsw i64 %129, %112
  %131 = icmp samesign ult i64 %130, 4
  br i1 %131, label %132, label %144

132:
  %133 = getelementptr inbounds nuw i64, ptr %6, i64 %130
  %134 = load i64, ptr %133, align 8
  %135 = lshr i64 %134, %108
  %136 = getelementptr inbounds nuw i64, ptr %7, i64 %129
  store i64 %135, ptr %136, align 8
  %137 = icmp ne i64 %130, 3
  %138 = and i1 %109, %137
  br i1 %138, label %139, label %144

139:
  %140 = getelementptr inbounds nuw i8, ptr %133, i64 8
  %141 = load i64, ptr %140, align 8
  %142 = shl i64 %141, %111
  %143 = or i64 %142, %135
  store i64 %143, ptr %136, align 8
  br label %144

144:
  %145 = add nuw nsw i64 %129, 1
  %146 = icmp eq i64 %145, 4
  br i1 %146, label %126, label %128

147:
  %148 = phi i32 [ %159, %147 ], [ 0, %126 ]
  %149 = phi i32 [ %160, %147 ], [ 0, %126 ]
  %150 = lshr i32 %149, 6
  %151 = zext nneg i32 %150 to i64
  %152 = getelementptr inbounds nuw i64, ptr %6, i64 %151
  %153 = load i64, ptr %152, align 8
  %154 = and i32 %149, 63
  %155 = zext nneg i32 %154 to i64
  %156 = lshr i64 %153, %155
  %157 = trunc i64 %156 to i32
  %158 = and i32 %157, 1
  %159 = or i32 %158, %148
  %160 = add nuw nsw i32 %149, 1
  %161 = icmp eq i32 %160, %103
  br i1 %161, label %162, label %147

162:
  %163 = phi i32 [ 0, %126 ], [ %125, %113 ], [ %159, %147 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  %164 = load i64, ptr %7, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %8, i8 0, i64 32, i1 false)
  br label %165

165:
  %166 = phi i64 [ 0, %162 ], [ %184, %183 ]
  %167 = icmp samesign ult i64 %166, 4
  br i1 %167, label %168, label %183

168:
  %169 = getelementptr inbounds nuw i64, ptr %7, i64 %166
  %170 = load i64, ptr %169, align 8
  %171 = lshr i64 %170, 1
  %172 = getelementptr inbounds nuw i64, ptr %8, i64 %166
  store i64 %171, ptr %172, align 8
  %173 = icmp eq i64 %166, 3
  br i1 %173, label %174, label %178

174:
  %175 = or i32 %163, %100
  %176 = trunc i64 %164 to i32
  %177 = and i32 %176, 1
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %43, ptr noundef nonnull align 8 dereferenceable(32) %8, i64 32, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  br label %214

178:
  %179 = getelementptr inbounds nuw i8, ptr %169, i64 8
  %180 = load i64, ptr %179, align 8
  %181 = shl i64 %180, 63
  %182 = or disjoint i64 %181, %171
  store i64 %182, ptr %172, align 8
  br label %183

183:
  %184 = add nuw nsw i64 %166, 1
  br label %165

185:
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  %186 = sub nsw i32 0, %98
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %5, ptr noundef nonnull align 8 dereferenceable(32) %43, i64 32, i1 false)
  %187 = lshr i32 %186, 6
  %188 = and i32 %186, 63
  %189 = zext nneg i32 %188 to i64
  %190 = icmp ne i32 %188, 0
  %191 = sub nuw nsw i32 64, %188
  %192 = zext nneg i32 %191 to i64
  %193 = zext nneg i32 %187 to i64
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %9, i8 0, i64 32, i1 false)
  br label %194

194:
  %195 = phi i64 [ 0, %185 ], [ %211, %210 ]
  %196 = sub nsw i64 %195, %193
  %197 = icmp slt i64 %196, 0
  br i1 %197, label %210, label %198

198:
  %199 = getelementptr inbounds nuw i64, ptr %5, i64 %196
  %200 = load i64, ptr %199, align 8
  %201 = shl i64 %200, %189
  %202 = getelementptr inbounds nuw i64, ptr %9, i64 %195
  store i64 %201, ptr %202, align 8
  %203 = icmp ne i64 %195, %193
  %204 = and i1 %190, %203
  br i1 %204, label %205, label %210

205:
  %206 = getelementptr i8, ptr %199, i64 -8
  %207 = load i64, ptr %206, align 8
  %208 = lshr i64 %207, %192
  %209 = or i64 %208, %201
  store i64 %209, ptr %202, align 8
  br label %210

210:
  %211 = add nuw nsw i64 %195, 1
  %212 = icmp eq i64 %211, 4
  br i1 %212, label %213, label %194

213:
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %43, ptr noundef nonnull align 8 dereferenceable(32) %9, i64 32, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  br label %214

214:
  %215 = phi i32 [ %175, %174 ], [ %100, %213 ]
  %216 = phi i32 [ %177, %174 ], [ 0, %213 ]
  %217 = load i64, ptr %43, align 8
  switch i32 %2, label %238 [
    i32 0, label %218
    i32 4, label %239
    i32 2, label %226
    i32 3, label %232
  ]

218:
  %219 = trunc i64 %217 to i32
  %220 = and i32 %219, 1
  %221 = icmp ne i32 %216, 0
  %222 = or i32 %220, %215
  %223 = icmp ne i32 %222, 0
  %224 = and i1 %221, %223
  %225 = zext i1 %224 to i32
  br label %239

226:
  %227 = icmp ne i32 %22, 0
  %228 = or i32 %216, %215
  %229 = icmp ne i32 %228, 0
  %230 = and i1 %227, %229
  %231 = zext i1 %230 to i32
  br label %239

232:
  %233 = icmp eq i32 %22, 0
  %234 = or i32 %216, %215
  %235 = icmp ne i32 %234, 0
  %236 = and i1 %233, %235
  %237 = zext i1 %236 to i32
  br label %239

238:
  br label %239

239:
  %240 = phi i32 [ 0, %238 ], [ %225, %218 ], [ %237, %232 ], [ %231, %226 ], [ %216, %214 ]
  %241 = zext nneg i32 %240 to i64
  %242 = add i64 %217, %241
  %243 = add nuw nsw i64 %16, 1
  %244 = lshr i64 %242, %243
  %245 = icmp ne i64 %244, 0
  %246 = zext i1 %245 to i32
  %247 = add nsw i32 %97, %246
  %248 = icmp slt i32 %247, %66
  br i1 %248, label %277, label %249

249:
  %250 = zext i1 %245 to i64
  %251 = lshr i64 %242, %250
  %252 = lshr i64 %251, %16
  %253 = icmp eq i64 %252, 0
  %254 = sub nsw i32 %247, %66
  %255 = zext nneg i32 %254 to i64
  %256 = shl i64 %255, %16
  %257 = select i1 %253, i64 0, i64 %256
  %258 = add i64 %257, %251
  %259 = icmp ult i64 %258, %28
  br i1 %259, label %274, label %260

260:
  %261 = icmp eq i32 %2, 1
  br i1 %261, label %272, label %262

262:
  %263 = icmp ne i32 %2, 2
  %264 = icmp ne i32 %22, 0
  %265 = select i1 %263, i1 true, i1 %264
  br i1 %265, label %266, label %272

266:
  %267 = icmp eq i32 %2, 3
  %268 = select i1 %267, i1 %264, i1 false
  %269 = and i32 %3, 8
  %270 = icmp ne i32 %269, 0
  %271 = or i1 %270, %268
  br i1 %271, label %272, label %274

272:
  %273 = add i64 %28, -1
  br label %274

274:
  %275 = phi i64 [ %258, %249 ], [ %273, %272 ], [ %28, %266 ]
  %276 = or i64 %275, %26
  br label %277

277:
  %278 = phi i64 [ 0, %30 ], [ %41, %36 ], [ %26, %58 ], [ %26, %239 ], [ %276, %274 ], [ 2147483647, %35 ], [ 32767, %34 ], [ -2251799813685248, %33 ]
  ret i64 %278
}

define void @lm_ptx_convert(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7) local_unnamed_addr {
  %9 = alloca %struct.Number, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 108
  %13 = load i32, ptr %12, align 4
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %37, label %15

15:
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %17 = zext i32 %3 to i64
  %18 = getelementptr inbounds nuw [64 x i32], ptr %16, i64 %17
  %19 = icmp eq i32 %4, 9
  %20 = add i32 %4, -1
  %21 = icmp ult i32 %20, 2
  %22 = add i32 %3, 1
  %23 = zext i32 %22 to i64
  %24 = getelementptr inbounds nuw [64 x i32], ptr %16, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %9, i64 4
  %26 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %27 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %28 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %29 = and i32 %7, 1
  %30 = icmp eq i32 %29, 0
  %31 = and i32 %7, 2
  %32 = icmp eq i32 %31, 0
  %33 = and i1 %19, %32
  %34 = and i32 %7, 6
  %35 = icmp eq i32 %34, 0
  %36 = icmp eq i32 %5, 9
  br label %38

37:
  ret void

38:
  %39 = phi i32 [ %13, %15 ], [ %160, %159 ]
  %40 = phi i64 [ 0, %15 ], [ %161, %159 ]
  %41 = shl nuw i64 1, %40
  %42 = and i64 %41, %2
  %43 = icmp eq i64 %42, 0
  br i1 %43, label %159, label %44

44:
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  %45 = getelementptr inbounds nuw i32, ptr %18, i64 %40
  %46 = load i32, ptr %45, align 4
  %47 = zext i32 %46 to i64
  br i1 %19, label %48, label %54

48:
  %49 = getelementptr inbounds nuw i32, ptr %24, i64 %40
  %50 = load i32, ptr %49, align 4
  %51 = zext i32 %50 to i64
  %52 = shl nuw i64 %51, 32
  %53 = or disjoint i64 %52, %47
  br label %59

54:
  %55 = and i64 %47, 65535
  %56 = select i1 %21, i64 %55, i64 %47
  switch i32 %4, label %58 [
    i32 2, label %57
    i32 1, label %59
  ]

57:
  br label %59

58:
  br label %59

59:
  %60 = phi i64 [ %56, %58 ], [ %56, %57 ], [ %53, %48 ], [ %56, %54 ]
  %61 = phi i64 [ 98784247816, %58 ], [ 30064771080, %57 ], [ 223338299403, %48 ], [ 42949672965, %54 ]
  %62 = trunc i64 %61 to i32
  %63 = lshr i64 %61, 32
  %64 = shl nuw nsw i64 1, %63
  %65 = add nsw i64 %64, -1
  %66 = and i64 %65, %60
  %67 = shl nsw i32 -1, %62
  %68 = xor i32 %67, -1
  %69 = lshr i64 %60, %63
  %70 = trunc i64 %69 to i32
  %71 = and i32 %70, %68
  store i32 0, ptr %9, align 8
  %72 = add nuw nsw i64 %63, %61
  %73 = and i64 %72, 127
  %74 = lshr i64 %60, %73
  %75 = trunc i64 %74 to i32
  %76 = and i32 %75, 1
  store i32 %76, ptr %25, align 4
  %77 = icmp eq i32 %71, %68
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %26, i8 0, i64 48, i1 false)
  br i1 %77, label %90, label %78

78:
  %79 = trunc nuw nsw i64 %63 to i32
  %80 = icmp ne i32 %71, 0
  %81 = or i1 %30, %80
  %82 = select i1 %81, i64 %66, i64 0
  %83 = select i1 %80, i64 %64, i64 0
  %84 = or i64 %82, %83
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %27, i8 0, i64 24, i1 false)
  store i64 %84, ptr %28, align 8
  %85 = tail call i32 @llvm.umax.i32(i32 %71, i32 1)
  %86 = lshr i32 %68, 1
  %87 = add nuw nsw i32 %86, %79
  %88 = sub nsw i32 %85, %87
  store i32 %88, ptr %26, align 8
  %89 = tail call fastcc i64 @soft_pack(i32 noundef %5, ptr noundef nonnull byval(%struct.Number) align 8 %9, i32 noundef %6, i32 noundef %7)
  br label %127

90:
  %91 = icmp ne i64 %66, 0
  %92 = select i1 %91, i32 2, i32 1
  store i32 %92, ptr %9, align 8
  %93 = tail call fastcc i64 @soft_pack(i32 noundef %5, ptr noundef nonnull byval(%struct.Number) align 8 %9, i32 noundef %6, i32 noundef %7)
  %94 = and i1 %91, %33
  br i1 %94, label %95, label %126

95:
  %96 = getelementptr inbounds nuw i32, ptr %24, i64 %40
  %97 = load i32, ptr %96, align 4
  %98 = zext i32 %97 to i64
  %99 = shl nuw i64 %98, 32
  %100 = or disjoint i64 %99, %47
  switch i32 %5, label %103 [
    i32 9, label %104
    i32 1, label %101
    i32 2, label %102
  ]

101:
  br label %104

102:
  br label %104

103:
  br label %104

104:
  %105 = phi i64 [ 98784247816, %103 ], [ 30064771080, %102 ], [ 42949672965, %101 ], [ 223338299403, %95 ]
  %106 = lshr i64 %105, 32
  %107 = sub nuw nsw i64 52, %106
  %108 = lshr i64 %100, %107
  %109 = shl nsw i64 -1, %106
  %110 = xor i64 %109, -1
  %111 = and i64 %108, %110
  %112 = and i64 %105, 15
  %113 = shl nsw i64 -1, %112
  %114 = xor i64 %113, -1
  %115 = lshr i64 %98, 31
  %116 = add nuw nsw i64 %106, %105
  %117 = and i64 %116, 127
  %118 = shl nuw i64 %115, %117
  %119 = shl i64 %114, %106
  %120 = or i64 %118, %119
  %121 = add nuw nsw i64 %106, 4294967295
  %122 = and i64 %121, 4294967295
  %123 = shl nuw nsw i64 1, %122
  %124 = or i64 %120, %123
  %125 = or i64 %124, %111
  br label %150

126:
  br i1 %91, label %150, label %127

127:
  %128 = phi i64 [ %89, %78 ], [ %93, %126 ]
  switch i32 %5, label %131 [
    i32 9, label %132
    i32 1, label %129
    i32 2, label %130
  ]

129:
  br label %132

130:
  br label %132

131:
  br label %132

132:
  %133 = phi i64 [ 98784247816, %131 ], [ 30064771080, %130 ], [ 42949672965, %129 ], [ 223338299403, %127 ]
  %134 = trunc i64 %133 to i32
  %135 = lshr i64 %133, 32
  %136 = shl nuw nsw i32 1, %134
  %137 = lshr i32 %136, 1
  %138 = add nsw i32 %137, -1
  %139 = zext i32 %138 to i64
  %140 = shl i64 %139, %135
  br i1 %35, label %147, label %141

141:
  %142 = add nuw nsw i64 %135, %133
  %143 = and i64 %142, 127
  %144 = shl nuw i64 1, %143
  %145 = and i64 %144, %128
  %146 = icmp eq i64 %145, 0
  br i1 %146, label %147, label %150

147:
  %148 = tail call i64 @llvm.umin.i64(i64 %128, i64 %140)
  %149 = select i1 %32, i64 %128, i64 %148
  br label %150

150:
  %151 = phi i64 [ %125, %104 ], [ %93, %126 ], [ %149, %147 ], [ 0, %141 ]
  %152 = trunc i64 %151 to i32
  store i32 %152, ptr %45, align 4
  br i1 %36, label %153, label %157

153:
  %154 = lshr i64 %151, 32
  %155 = trunc nuw i64 %154 to i32
  %156 = getelementptr inbounds nuw i32, ptr %24, i64 %40
  store i32 %155, ptr %156, align 4
  br label %157

157:
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  %158 = load i32, ptr %12, align 4
  br label %159

159:
  %160 = phi i32 [ %39, %38 ], [ %158, %157 ]
  %161 = add nuw nsw i64 %40, 1
  %162 = zext i32 %160 to i64
  %163 = icmp samesign ult i64 %161, %162
  br i1 %163, label %38, label %37
}

define void @lm_ptx_from_integer(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr {
  %8 = alloca %struct.Number, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 108
  %12 = load i32, ptr %11, align 4
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %28, label %14

14:
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %16 = zext i32 %3 to i64
  %17 = getelementptr inbounds nuw [64 x i32], ptr %15, i64 %16
  %18 = add i32 %3, 1
  %19 = zext i32 %18 to i64
  %20 = getelementptr inbounds nuw [64 x i32], ptr %15, i64 %19
  %21 = getelementptr inbounds nuw i8, ptr %8, i64 4
  %22 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %23 = getelementptr inbounds nuw i8, ptr %8, i64 24
  %24 = getelementptr inbounds nuw i8, ptr %8, i64 48
  %25 = getelementptr inbounds nuw i8, ptr %8, i64 52
  %26 = icmp eq i32 %4, 0
  %27 = icmp eq i32 %5, 9
  br label %29

28:
  ret void

29:
  %30 = phi i32 [ %12, %14 ], [ %57, %56 ]
  %31 = phi i64 [ 0, %14 ], [ %58, %56 ]
  %32 = shl nuw i64 1, %31
  %33 = and i64 %32, %2
  %34 = icmp eq i64 %33, 0
  br i1 %34, label %56, label %35

35:
  %36 = getelementptr inbounds nuw i32, ptr %17, i64 %31
  %37 = load i32, ptr %36, align 4
  %38 = zext i32 %37 to i64
  %39 = getelementptr inbounds nuw i32, ptr %20, i64 %31
  %40 = load i32, ptr %39, align 4
  %41 = zext i32 %40 to i64
  %42 = shl nuw i64 %41, 32
  %43 = or disjoint i64 %42, %38
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %23, i8 0, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %8, i8 0, i64 16, i1 false)
  store i64 %43, ptr %22, align 8
  store i32 0, ptr %24, align 8
  store i32 0, ptr %25, align 4
  %44 = icmp sgt i64 %42, -1
  %45 = or i1 %26, %44
  br i1 %45, label %48, label %46

46:
  store i32 1, ptr %21, align 4
  %47 = sub i64 0, %43
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %23, i8 0, i64 24, i1 false)
  store i64 %47, ptr %22, align 8
  br label %48

48:
  %49 = tail call fastcc i64 @soft_pack(i32 noundef %5, ptr noundef nonnull byval(%struct.Number) align 8 %8, i32 noundef %6, i32 noundef 0)
  %50 = trunc i64 %49 to i32
  store i32 %50, ptr %36, align 4
  br i1 %27, label %51, label %54

51:
  %52 = lshr i64 %49, 32
  %53 = trunc nuw i64 %52 to i32
  store i32 %53, ptr %39, align 4
  br label %54

54:
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  %55 = load i32, ptr %11, align 4
  br label %56

56:
  %57 = phi i32 [ %30, %29 ], [ %55, %54 ]
  %58 = add nuw nsw i64 %31, 1
  %59 = zext i32 %57 to i64
  %60 = icmp samesign ult i64 %58, %59
  br i1 %60, label %29, label %28
}

define void @lm_leave(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %6 = getelementptr inbounds nuw i8, ptr %4, i64 12
  %7 = load i32, ptr %6, align 4
  %8 = icmp ugt i32 %7, 1
  br i1 %8, label %9, label %23

9:
  %10 = getelementptr inbounds nuw i8, ptr %3, i64 120
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 12
  %12 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %13 = getelementptr inbounds nuw i8, ptr %4, i64 120
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 112
  %15 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %16 = getelementptr inbounds nuw i8, ptr %3, i64 8
  br label %17

17:
  %18 = phi i32 [ %7, %9 ], [ %72, %71 ]
  %19 = phi i64 [ 0, %9 ], [ %73, %71 ]
  %20 = load i32, ptr %5, align 8
  %21 = zext i32 %20 to i64
  %22 = icmp samesign ult i64 %19, %21
  br i1 %22, label %24, label %23

23:
  ret void

24:
  %25 = load ptr, ptr %10, align 8
  %26 = getelementptr inbounds nuw i64, ptr %25, i64 %19
  %27 = load i64, ptr %26, align 8
  %28 = and i64 %27, 4294967295
  %29 = load i32, ptr %11, align 4
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %38, label %31

31:
  %32 = load i32, ptr %12, align 8
  %33 = load ptr, ptr %13, align 8
  %34 = load i64, ptr %14, align 8
  %35 = mul i64 %34, %21
  %36 = add i64 %35, 3
  %37 = zext i32 %29 to i64
  br label %41

38:
  %39 = phi i64 [ 0, %24 ], [ %53, %41 ]
  %40 = icmp ugt i64 %28, %39
  br i1 %40, label %56, label %71

41:
  %42 = phi i64 [ 0, %31 ], [ %54, %41 ]
  %43 = phi i64 [ 0, %31 ], [ %53, %41 ]
  %44 = trunc nuw i64 %42 to i32
  %45 = add i32 %32, %44
  %46 = zext i32 %45 to i64
  %47 = mul i64 %36, %46
  %48 = getelementptr inbounds nuw i64, ptr %33, i64 %47
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 24
  %50 = getelementptr inbounds nuw i64, ptr %49, i64 %21
  %51 = getelementptr inbounds nuw i64, ptr %50, i64 %19
  %52 = load i64, ptr %51, align 8
  %53 = tail call i64 @llvm.umax.i64(i64 %52, i64 %43)
  %54 = add nuw nsw i64 %42, 1
  %55 = icmp eq i64 %54, %37
  br i1 %55, label %38, label %41

56:
  %57 = lshr i64 %27, 32
  %58 = trunc nuw i64 %57 to i32
  %59 = load ptr, ptr %15, align 8
  %60 = getelementptr inbounds nuw ptr, ptr %59, i64 %19
  %61 = load ptr, ptr %60, align 8
  %62 = getelementptr inbounds nuw i8, ptr %61, i64 32
  %63 = load i64, ptr %62, align 8
  %64 = tail call ptr @lm_hazard(ptr noundef %0, i32 noundef 9, i32 noundef %58, i64 noundef %63)
  %65 = getelementptr inbounds nuw i8, ptr %64, i64 8
  %66 = trunc nuw i64 %19 to i32
  store i32 %66, ptr %65, align 8
  %67 = load i32, ptr %16, align 8
  %68 = zext i32 %67 to i64
  %69 = getelementptr inbounds nuw i8, ptr %64, i64 48
  store i64 %68, ptr %69, align 8
  %70 = load i32, ptr %6, align 4
  br label %71

71:
  %72 = phi i32 [ %18, %38 ], [ %70, %56 ]
  %73 = add nuw nsw i64 %19, 1
  %74 = icmp ugt i32 %72, 1
  br i1 %74, label %17, label %23
}

define void @lm_hand_over(ptr noundef readonly captures(none) %0, i64 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = load ptr, ptr %0, align 8
  %5 = icmp eq i64 %1, 0
  br i1 %5, label %67, label %6

6:
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 112
  %8 = load i64, ptr %7, align 8
  %9 = icmp eq i64 %8, 2
  br i1 %9, label %67, label %10

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %12 = getelementptr inbounds nuw i8, ptr %4, i64 120
  %13 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 232
  br label %17

17:
  %18 = phi i1 [ true, %10 ], [ false, %66 ]
  %19 = phi i64 [ 0, %10 ], [ 1, %66 ]
  %20 = trunc nuw nsw i64 %19 to i32
  %21 = shl nuw nsw i32 1, %20
  %22 = and i32 %21, %2
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %66, label %24

24:
  %25 = load i32, ptr %11, align 4
  %26 = or disjoint i64 %19, 2
  %27 = load ptr, ptr %12, align 8
  %28 = zext i32 %25 to i64
  %29 = load i64, ptr %7, align 8
  %30 = load i32, ptr %13, align 8
  %31 = zext i32 %30 to i64
  %32 = mul i64 %29, %31
  %33 = add i64 %32, 3
  %34 = mul i64 %33, %28
  %35 = getelementptr inbounds nuw i64, ptr %27, i64 %34
  %36 = getelementptr inbounds nuw i8, ptr %35, i64 24
  %37 = mul nuw nsw i64 %26, %31
  %38 = getelementptr inbounds nuw i64, ptr %36, i64 %37
  %39 = mul nuw nsw i64 %19, %31
  %40 = getelementptr inbounds nuw i64, ptr %36, i64 %39
  %41 = icmp eq i32 %30, 0
  br i1 %41, label %53, label %42

42:
  %43 = phi i64 [ %51, %50 ], [ 0, %24 ]
  %44 = getelementptr inbounds nuw i64, ptr %40, i64 %43
  %45 = load i64, ptr %44, align 8
  %46 = getelementptr inbounds nuw i64, ptr %38, i64 %43
  %47 = load i64, ptr %46, align 8
  %48 = icmp ugt i64 %45, %47
  br i1 %48, label %49, label %50

49:
  store i64 %45, ptr %46, align 8
  br label %50

50:
  %51 = add nuw nsw i64 %43, 1
  %52 = icmp eq i64 %51, %31
  br i1 %52, label %53, label %42

53:
  %54 = getelementptr inbounds nuw i64, ptr %38, i64 %28
  %55 = load i64, ptr %54, align 8
  %56 = load ptr, ptr %14, align 8
  %57 = getelementptr inbounds nuw i8, ptr %56, i64 144
  %58 = load i64, ptr %57, align 8
  %59 = icmp ne i64 %58, 0
  %60 = or i1 %18, %59
  %61 = getelementptr inbounds nuw i64, ptr %15, i64 %19
  %62 = select i1 %60, ptr %61, ptr %16
  %63 = load i64, ptr %62, align 8
  %64 = icmp ult i64 %55, %63
  br i1 %64, label %65, label %66

65:
  store i64 %63, ptr %54, align 8
  br label %66

66:
  br i1 %18, label %17, label %67

67:
  ret void
}

define void @lm_advance(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2) local_unnamed_addr {
  %4 = icmp eq i64 %2, 0
  br i1 %4, label %5, label %6

5:
  ret void

6:
  %7 = phi i64 [ %15, %14 ], [ 0, %3 ]
  %8 = getelementptr inbounds nuw i64, ptr %1, i64 %7
  %9 = load i64, ptr %8, align 8
  %10 = getelementptr inbounds nuw i64, ptr %0, i64 %7
  %11 = load i64, ptr %10, align 8
  %12 = icmp ugt i64 %9, %11
  br i1 %12, label %13, label %14

13:
  store i64 %9, ptr %10, align 8
  br label %14

14:
  %15 = add nuw i64 %7, 1
  %16 = icmp eq i64 %15, %2
  br i1 %16, label %5, label %6
}

define void @lm_join(ptr noundef readonly captures(none) %0, i32 noundef %1) local_unnamed_addr {
  %3 = alloca [5635 x i64], align 16
  %4 = load ptr, ptr %0, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %3)
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 112
  %6 = load i64, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 8
  %8 = load i32, ptr %7, align 8
  %9 = zext i32 %8 to i64
  %10 = mul i64 %6, %9
  %11 = add i64 %10, 3
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %13, label %21

13:
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %15 = load i32, ptr %14, align 4
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %111, label %17

17:
  %18 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %20 = getelementptr inbounds nuw i8, ptr %3, i64 24
  br label %32

21:
  %22 = phi i64 [ %26, %21 ], [ 0, %2 ]
  %23 = phi i32 [ %25, %21 ], [ 0, %2 ]
  %24 = getelementptr inbounds nuw i64, ptr %3, i64 %22
  store i64 0, ptr %24, align 8
  %25 = add i32 %23, 1
  %26 = zext i32 %25 to i64
  %27 = icmp ugt i64 %11, %26
  br i1 %27, label %21, label %13

28:
  %29 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %31 = getelementptr inbounds nuw i8, ptr %3, i64 24
  br label %112

32:
  %33 = phi i32 [ 0, %17 ], [ %109, %108 ]
  %34 = shl nuw i32 1, %33
  %35 = and i32 %34, %1
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %108, label %37

37:
  %38 = load ptr, ptr %18, align 8
  %39 = load i32, ptr %19, align 8
  %40 = add i32 %39, %33
  %41 = zext i32 %40 to i64
  %42 = getelementptr inbounds nuw ptr, ptr %38, i64 %41
  %43 = load ptr, ptr %42, align 8
  %44 = load ptr, ptr %43, align 8
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 120
  %46 = load ptr, ptr %45, align 8
  %47 = getelementptr inbounds nuw i8, ptr %43, i64 28
  %48 = load i32, ptr %47, align 4
  %49 = zext i32 %48 to i64
  %50 = getelementptr inbounds nuw i8, ptr %44, i64 112
  %51 = load i64, ptr %50, align 8
  %52 = getelementptr inbounds nuw i8, ptr %44, i64 8
  %53 = load i32, ptr %52, align 8
  %54 = zext i32 %53 to i64
  %55 = mul i64 %51, %54
  %56 = add i64 %55, 3
  %57 = mul i64 %56, %49
  %58 = getelementptr inbounds nuw i64, ptr %46, i64 %57
  %59 = tail call i64 @llvm.umin.i64(i64 %51, i64 7)
  %60 = mul nuw nsw i64 %59, %54
  %61 = add nuw nsw i64 %60, 2
  br label %62

62:
  %63 = phi i64 [ %69, %62 ], [ 0, %37 ]
  %64 = getelementptr inbounds nuw i64, ptr %58, i64 %63
  %65 = load i64, ptr %64, align 8
  %66 = getelementptr inbounds nuw i64, ptr %3, i64 %63
  %67 = load i64, ptr %66, align 8
  %68 = tail call i64 @llvm.umax.i64(i64 %65, i64 %67)
  store i64 %68, ptr %66, align 8
  %69 = add nuw nsw i64 %63, 1
  %70 = icmp eq i64 %63, %61
  br i1 %70, label %71, label %62

71:
  %72 = getelementptr inbounds nuw i8, ptr %43, i64 16
  %73 = load ptr, ptr %72, align 8
  %74 = getelementptr inbounds nuw i8, ptr %73, i64 144
  %75 = getelementptr inbounds nuw i8, ptr %43, i64 208
  %76 = getelementptr inbounds nuw i64, ptr %20, i64 %49
  %77 = load i64, ptr %74, align 8
  %78 = icmp eq i64 %77, 0
  %79 = load i64, ptr %75, align 8
  %80 = load i64, ptr %76, align 8
  %81 = tail call i64 @llvm.umax.i64(i64 %79, i64 %80)
  store i64 %81, ptr %76, align 8
  %82 = select i1 %78, i64 232, i64 216
  %83 = getelementptr inbounds nuw i8, ptr %43, i64 %82
  %84 = load i64, ptr %83, align 8
  %85 = getelementptr inbounds nuw i64, ptr %76, i64 %54
  %86 = load i64, ptr %85, align 8
  %87 = tail call i64 @llvm.umax.i64(i64 %84, i64 %86)
  store i64 %87, ptr %85, align 8
  %88 = getelementptr inbounds nuw i8, ptr %44, i64 128
  %89 = load ptr, ptr %88, align 8
  %90 = icmp eq ptr %89, null
  br i1 %90, label %108, label %91

91:
  %92 = mul nuw nsw i64 %54, 56
  %93 = getelementptr inbounds nuw i8, ptr %20, i64 %92
  %94 = shl nuw nsw i64 %49, 3
  %95 = mul i64 %94, %54
  %96 = getelementptr inbounds nuw i64, ptr %89, i64 %95
  %97 = shl nuw nsw i64 %54, 2
  %98 = icmp eq i32 %53, 0
  br i1 %98, label %108, label %99

99:
  %100 = phi i64 [ %106, %99 ], [ 0, %91 ]
  %101 = getelementptr inbounds nuw i64, ptr %96, i64 %100
  %102 = load i64, ptr %101, align 8
  %103 = getelementptr inbounds nuw i64, ptr %93, i64 %100
  %104 = load i64, ptr %103, align 8
  %105 = tail call i64 @llvm.umax.i64(i64 %102, i64 %104)
  store i64 %105, ptr %103, align 8
  %106 = add nuw nsw i64 %100, 1
  %107 = icmp eq i64 %106, %97
  br i1 %107, label %108, label %99

108:
  %109 = add nuw i32 %33, 1
  %110 = icmp eq i32 %109, %15
  br i1 %110, label %28, label %32

111:
  call void @llvm.lifetime.end.p0(ptr nonnull %3)
  ret void

112:
  %113 = phi i32 [ 0, %28 ], [ %178, %177 ]
  %114 = shl nuw i32 1, %113
  %115 = and i32 %114, %1
  %116 = icmp eq i32 %115, 0
  br i1 %116, label %177, label %117

117:
  %118 = load ptr, ptr %29, align 8
  %119 = load i32, ptr %30, align 8
  %120 = add i32 %119, %113
  %121 = zext i32 %120 to i64
  %122 = getelementptr inbounds nuw ptr, ptr %118, i64 %121
  %123 = load ptr, ptr %122, align 8
  %124 = load ptr, ptr %123, align 8
  %125 = getelementptr inbounds nuw i8, ptr %124, i64 120
  %126 = load ptr, ptr %125, align 8
  %127 = getelementptr inbounds nuw i8, ptr %123, i64 28
  %128 = load i32, ptr %127, align 4
  %129 = zext i32 %128 to i64
  %130 = getelementptr inbounds nuw i8, ptr %124, i64 112
  %131 = load i64, ptr %130, align 8
  %132 = getelementptr inbounds nuw i8, ptr %124, i64 8
  %133 = load i32, ptr %132, align 8
  %134 = zext i32 %133 to i64
  %135 = mul i64 %131, %134
  %136 = add i64 %135, 3
  %137 = mul i64 %136, %129
  %138 = getelementptr inbounds nuw i64, ptr %126, i64 %137
  %139 = tail call i64 @llvm.umin.i64(i64 %131, i64 7)
  %140 = mul nuw nsw i64 %139, %134
  %141 = add nuw nsw i64 %140, 2
  br label %142

142:
  %143 = phi i64 [ %151, %150 ], [ 0, %117 ]
  %144 = getelementptr inbounds nuw i64, ptr %3, i64 %143
  %145 = load i64, ptr %144, align 8
  %146 = getelementptr inbounds nuw i64, ptr %138, i64 %143
  %147 = load i64, ptr %146, align 8
  %148 = icmp ugt i64 %145, %147
  br i1 %148, label %149, label %150

149:
  store i64 %145, ptr %146, align 8
  br label %150

150:
  %151 = add nuw nsw i64 %143, 1
  %152 = icmp eq i64 %143, %141
  br i1 %152, label %153, label %142

153:
  %154 = getelementptr inbounds nuw i8, ptr %124, i64 128
  %155 = load ptr, ptr %154, align 8
  %156 = icmp eq ptr %155, null
  br i1 %156, label %177, label %157

157:
  %158 = shl nuw nsw i64 %129, 3
  %159 = or disjoint i64 %158, 4
  %160 = mul i64 %159, %134
  %161 = getelementptr inbounds nuw i64, ptr %155, i64 %160
  %162 = mul nuw nsw i64 %134, 56
  %163 = getelementptr inbounds nuw i8, ptr %31, i64 %162
  %164 = shl nuw nsw i64 %134, 2
  %165 = icmp eq i32 %133, 0
  br i1 %165, label %177, label %166

166:
  %167 = phi i64 [ %175, %174 ], [ 0, %157 ]
  %168 = getelementptr inbounds nuw i64, ptr %163, i64 %167
  %169 = load i64, ptr %168, align 8
  %170 = getelementptr inbounds nuw i64, ptr %161, i64 %167
  %171 = load i64, ptr %170, align 8
  %172 = icmp ugt i64 %169, %171
  br i1 %172, label %173, label %174

173:
  store i64 %169, ptr %170, align 8
  br label %174

174:
  %175 = add nuw nsw i64 %167, 1
  %176 = icmp eq i64 %175, %164
  br i1 %176, label %177, label %166

177:
  %178 = add nuw i32 %113, 1
  %179 = icmp eq i32 %178, %15
  br i1 %179, label %111, label %112
}

define void @lm_write_back(ptr noundef captures(none) initializes((1528, 1536)) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %3 = load i64, ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  store i64 %3, ptr %4, align 8
  ret void
}

define void @lm_release_written(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %3 = load i64, ptr %2, align 8
  %4 = icmp eq i64 %3, 0
  br i1 %4, label %9, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %7 = load i64, ptr %6, align 8
  %8 = tail call i64 @llvm.umin.i64(i64 %3, i64 %7)
  tail call void @lm_release_all(ptr noundef nonnull %0, i64 noundef %8)
  br label %9

9:
  ret void
}

define void @lm_release_all(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %4 = load ptr, ptr %3, align 8
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %7 = load i32, ptr %6, align 8
  %8 = zext i32 %7 to i64
  %9 = load i64, ptr %5, align 8
  %10 = getelementptr inbounds nuw i8, ptr %4, i64 176
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %4, i64 88
  %13 = load i64, ptr %12, align 8
  %14 = sub i64 %9, %13
  %15 = getelementptr inbounds nuw i8, ptr %4, i64 184
  %16 = load i64, ptr %15, align 8
  %17 = mul i64 %14, %16
  %18 = getelementptr inbounds nuw i64, ptr %11, i64 %17
  %19 = getelementptr inbounds nuw i8, ptr %5, i64 120
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %22 = load i32, ptr %21, align 4
  %23 = zext i32 %22 to i64
  %24 = getelementptr inbounds nuw i8, ptr %5, i64 112
  %25 = load i64, ptr %24, align 8
  %26 = mul i64 %25, %8
  %27 = add i64 %26, 3
  %28 = mul i64 %27, %23
  %29 = getelementptr inbounds nuw i64, ptr %20, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %29, i64 24
  %31 = load i64, ptr %18, align 8
  %32 = icmp eq i64 %31, 0
  %33 = add i64 %31, -1
  %34 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %35 = add nuw nsw i64 %8, 1
  %36 = mul i64 %33, %35
  %37 = getelementptr inbounds nuw i64, ptr %34, i64 %36
  %38 = icmp eq i32 %7, 0
  br i1 %38, label %41, label %43

39:
  %40 = icmp eq i32 %60, 0
  br label %41

41:
  %42 = phi i1 [ true, %2 ], [ %40, %39 ]
  br i1 %32, label %65, label %63

43:
  %44 = phi i32 [ %60, %56 ], [ 0, %2 ]
  %45 = phi i64 [ %61, %56 ], [ 0, %2 ]
  %46 = icmp eq i64 %45, %23
  br i1 %46, label %50, label %47

47:
  %48 = getelementptr inbounds nuw i64, ptr %30, i64 %45
  %49 = load i64, ptr %48, align 8
  br label %50

50:
  %51 = phi i64 [ %49, %47 ], [ %1, %43 ]
  br i1 %32, label %56, label %52

52:
  %53 = getelementptr inbounds nuw i64, ptr %37, i64 %45
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 8
  %55 = load i64, ptr %54, align 8
  br label %56

56:
  %57 = phi i64 [ %55, %52 ], [ 0, %50 ]
  %58 = icmp ugt i64 %51, %57
  %59 = zext i1 %58 to i32
  %60 = or i32 %44, %59
  %61 = add nuw nsw i64 %45, 1
  %62 = icmp eq i64 %61, %8
  br i1 %62, label %39, label %43

63:
  %64 = load i64, ptr %37, align 8
  br label %65

65:
  %66 = phi i64 [ %64, %63 ], [ 0, %41 ]
  br i1 %42, label %118, label %67

67:
  %68 = getelementptr inbounds nuw i8, ptr %4, i64 192
  %69 = load i64, ptr %68, align 8
  %70 = icmp eq i64 %31, %69
  br i1 %70, label %74, label %71

71:
  %72 = mul i64 %31, %35
  %73 = add i64 %31, 1
  br label %89

74:
  store i64 %33, ptr %18, align 8
  %75 = load i64, ptr %34, align 8
  %76 = getelementptr i64, ptr %18, i64 %8
  %77 = icmp eq i64 %36, 0
  br i1 %77, label %81, label %78

78:
  %79 = add i64 %36, 1
  %80 = tail call i64 @llvm.umax.i64(i64 %79, i64 2)
  br label %82

81:
  store i64 %75, ptr %34, align 8
  br label %89

82:
  %83 = phi i64 [ %84, %82 ], [ 1, %78 ]
  %84 = add nuw i64 %83, 1
  %85 = getelementptr i64, ptr %76, i64 %84
  %86 = load i64, ptr %85, align 8
  %87 = getelementptr inbounds nuw i64, ptr %18, i64 %83
  store i64 %86, ptr %87, align 8
  %88 = icmp eq i64 %84, %80
  br i1 %88, label %81, label %82

89:
  %90 = phi i64 [ %72, %71 ], [ %36, %81 ]
  %91 = phi i64 [ %73, %71 ], [ %31, %81 ]
  store i64 %91, ptr %18, align 8
  %92 = getelementptr inbounds nuw i64, ptr %34, i64 %90
  %93 = icmp ugt i64 %91, 1
  %94 = xor i64 %8, -1
  %95 = getelementptr inbounds i64, ptr %92, i64 %94
  %96 = getelementptr inbounds nuw i8, ptr %4, i64 200
  %97 = load i64, ptr %96, align 8
  %98 = add i64 %97, 1
  store i64 %98, ptr %96, align 8
  store i64 %98, ptr %92, align 8
  br i1 %38, label %118, label %99

99:
  %100 = phi i64 [ %115, %113 ], [ 0, %89 ]
  %101 = icmp eq i64 %100, %23
  br i1 %101, label %105, label %102

102:
  %103 = getelementptr inbounds nuw i64, ptr %30, i64 %100
  %104 = load i64, ptr %103, align 8
  br label %105

105:
  %106 = phi i64 [ %104, %102 ], [ %1, %99 ]
  br i1 %93, label %107, label %112

107:
  %108 = getelementptr inbounds nuw i64, ptr %95, i64 %100
  %109 = getelementptr inbounds nuw i8, ptr %108, i64 8
  %110 = load i64, ptr %109, align 8
  %111 = icmp ugt i64 %110, %106
  br i1 %111, label %113, label %112

112:
  br label %113

113:
  %114 = phi i64 [ %106, %112 ], [ %110, %107 ]
  %115 = add nuw nsw i64 %100, 1
  %116 = getelementptr inbounds nuw i64, ptr %92, i64 %115
  store i64 %114, ptr %116, align 8
  %117 = icmp eq i64 %115, %8
  br i1 %117, label %118, label %99

118:
  %119 = phi i64 [ %66, %65 ], [ %98, %89 ], [ %98, %113 ]
  %120 = load i64, ptr %29, align 8
  %121 = tail call i64 @llvm.umax.i64(i64 %120, i64 %119)
  %122 = getelementptr inbounds nuw i8, ptr %29, i64 8
  %123 = load i64, ptr %122, align 8
  %124 = icmp ugt i64 %121, %123
  br i1 %124, label %125, label %126

125:
  store i64 %121, ptr %122, align 8
  br label %126

126:
  ret void
}

define internal fastcc void @fill_page(ptr noundef readonly captures(none) %0, i64 noundef %1) unnamed_addr {
  %3 = alloca i64, align 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = shl i64 %1, 12
  %7 = sub i64 %5, %6
  %8 = tail call i64 @llvm.umin.i64(i64 %7, i64 4096)
  %9 = shl i64 %1, 9
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 %6
  %13 = icmp eq i64 %5, %6
  br i1 %13, label %19, label %14

14:
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 92
  %16 = tail call i64 @llvm.umax.i64(i64 %8, i64 8)
  %17 = add nsw i64 %16, -1
  %18 = lshr i64 %17, 3
  br label %20

19:
  ret void

20:
  %21 = phi i64 [ 0, %14 ], [ %36, %20 ]
  %22 = phi i64 [ 0, %14 ], [ %35, %20 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %3)
  %23 = add nuw nsw i64 %22, %9
  %24 = load i32, ptr %15, align 4
  %25 = zext i32 %24 to i64
  %26 = shl nuw i64 %25, 32
  %27 = add i64 %23, %26
  %28 = mul i64 %27, -7046029254386353131
  %29 = add i64 %28, -7046029254386353131
  %30 = lshr i64 %29, 32
  %31 = xor i64 %30, %29
  store i64 %31, ptr %3, align 8
  %32 = sub nuw nsw i64 %8, %21
  %33 = tail call i64 @llvm.umin.i64(i64 %32, i64 8)
  %34 = getelementptr inbounds nuw i8, ptr %12, i64 %21
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %34, ptr nonnull readonly align 8 %3, i64 %33, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %3)
  %35 = add nuw nsw i64 %22, 1
  %36 = shl i64 %35, 3
  %37 = icmp eq i64 %22, %18
  br i1 %37, label %19, label %20
}

define void @lm_fill_pages(ptr noundef readonly captures(none) %0, i64 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = alloca i64, align 8
  %5 = lshr i64 %1, 12
  %6 = add i64 %1, -1
  %7 = add i64 %6, %2
  %8 = lshr i64 %7, 12
  %9 = icmp eq i64 %2, 0
  %10 = icmp samesign ugt i64 %5, %8
  %11 = select i1 %9, i1 true, i1 %10
  br i1 %11, label %18, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 92
  %17 = load ptr, ptr %13, align 8
  br label %19

18:
  ret void

19:
  %20 = phi ptr [ %17, %12 ], [ %66, %65 ]
  %21 = phi ptr [ %17, %12 ], [ %67, %65 ]
  %22 = phi i64 [ %5, %12 ], [ %68, %65 ]
  %23 = getelementptr inbounds nuw i32, ptr %21, i64 %22
  %24 = load i32, ptr %23, align 4
  %25 = and i32 %24, 1
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %27, label %65

27:
  %28 = load i64, ptr %14, align 8
  %29 = shl nuw i64 %22, 12
  %30 = sub i64 %28, %29
  %31 = tail call i64 @llvm.umin.i64(i64 %30, i64 4096)
  %32 = shl nuw nsw i64 %22, 9
  %33 = load ptr, ptr %15, align 8
  %34 = getelementptr inbounds nuw i8, ptr %33, i64 %29
  %35 = icmp eq i64 %28, %29
  br i1 %35, label %60, label %36

36:
  %37 = tail call i64 @llvm.umax.i64(i64 %31, i64 8)
  %38 = add nsw i64 %37, -1
  %39 = lshr i64 %38, 3
  br label %40

40:
  %41 = phi i64 [ 0, %36 ], [ %56, %40 ]
  %42 = phi i64 [ 0, %36 ], [ %55, %40 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %4)
  %43 = add nuw nsw i64 %42, %32
  %44 = load i32, ptr %16, align 4
  %45 = zext i32 %44 to i64
  %46 = shl nuw i64 %45, 32
  %47 = add i64 %43, %46
  %48 = mul i64 %47, -7046029254386353131
  %49 = add i64 %48, -7046029254386353131
  %50 = lshr i64 %49, 32
  %51 = xor i64 %50, %49
  store i64 %51, ptr %4, align 8
  %52 = sub nuw nsw i64 %31, %41
  %53 = tail call i64 @llvm.umin.i64(i64 %52, i64 8)
  %54 = getelementptr inbounds nuw i8, ptr %34, i64 %41
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %54, ptr nonnull readonly align 8 %4, i64 %53, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %4)
  %55 = add nuw nsw i64 %42, 1
  %56 = shl i64 %55, 3
  %57 = icmp eq i64 %42, %39
  br i1 %57, label %58, label %40

58:
  %59 = load ptr, ptr %13, align 8
  br label %60

60:
  %61 = phi ptr [ %59, %58 ], [ %20, %27 ]
  %62 = getelementptr inbounds nuw i32, ptr %61, i64 %22
  %63 = load i32, ptr %62, align 4
  %64 = or i32 %63, 1
  store i32 %64, ptr %62, align 4
  br label %65

65:
  %66 = phi ptr [ %20, %19 ], [ %61, %60 ]
  %67 = phi ptr [ %21, %19 ], [ %61, %60 ]
  %68 = add nuw nsw i64 %22, 1
  %69 = icmp samesign ult i64 %22, %8
  br i1 %69, label %19, label %18
}

define void @lm_undo(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %56, label %5

5:
  %6 = phi ptr [ %54, %47 ], [ %3, %1 ]
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = shl i64 %10, 12
  %14 = sub i64 %12, %13
  %15 = tail call range(i64 0, 4097) i64 @llvm.umin.i64(i64 %14, i64 4096)
  %16 = load ptr, ptr %6, align 8
  store ptr %16, ptr %2, align 8
  %17 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 %13
  %20 = getelementptr inbounds nuw i8, ptr %6, i64 544
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %19, ptr nonnull readonly align 1 %20, i64 %15, i1 false)
  %21 = getelementptr inbounds nuw i8, ptr %8, i64 24
  %22 = load ptr, ptr %21, align 8
  %23 = load i64, ptr %9, align 8
  %24 = shl i64 %23, 9
  %25 = getelementptr inbounds nuw i8, ptr %22, i64 %24
  %26 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %27 = add nuw nsw i64 %15, 63
  %28 = lshr i64 %27, 3
  %29 = and i64 %28, 2040
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %25, ptr nonnull readonly align 1 %26, i64 %29, i1 false)
  %30 = getelementptr inbounds nuw i8, ptr %6, i64 28
  %31 = load i32, ptr %30, align 4
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %47, label %33

33:
  %34 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %35 = load ptr, ptr %34, align 8
  %36 = load i64, ptr %9, align 8
  %37 = shl i64 %36, 12
  %38 = getelementptr inbounds nuw i8, ptr %35, i64 %37
  %39 = getelementptr inbounds nuw i8, ptr %6, i64 4640
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %38, ptr nonnull readonly align 1 %39, i64 %15, i1 false)
  %40 = getelementptr inbounds nuw i8, ptr %8, i64 40
  %41 = load ptr, ptr %40, align 8
  %42 = load i64, ptr %9, align 8
  %43 = shl i64 %42, 14
  %44 = getelementptr inbounds nuw i8, ptr %41, i64 %43
  %45 = getelementptr inbounds nuw i8, ptr %6, i64 8736
  %46 = shl nuw nsw i64 %15, 2
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %44, ptr nonnull readonly align 1 %45, i64 %46, i1 false)
  br label %47

47:
  %48 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %49 = load i32, ptr %48, align 8
  %50 = getelementptr inbounds nuw i8, ptr %8, i64 56
  %51 = load ptr, ptr %50, align 8
  %52 = load i64, ptr %9, align 8
  %53 = getelementptr inbounds nuw i32, ptr %51, i64 %52
  store i32 %49, ptr %53, align 4
  tail call void @free(ptr noundef nonnull %6)
  %54 = load ptr, ptr %2, align 8
  %55 = icmp eq ptr %54, null
  br i1 %55, label %56, label %5

56:
  ret void
}

define void @lm_keep(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %10, label %5

5:
  %6 = phi ptr [ %8, %5 ], [ %3, %1 ]
  %7 = load ptr, ptr %6, align 8
  store ptr %7, ptr %2, align 8
  tail call void @free(ptr noundef nonnull %6)
  %8 = load ptr, ptr %2, align 8
  %9 = icmp eq ptr %8, null
  br i1 %9, label %10, label %5

10:
  ret void
}

define void @lm_segment(ptr noundef captures(none) %0, i32 noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %4 = load i32, ptr %3, align 8
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %74, label %6

6:
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 72
  %10 = load ptr, ptr %9, align 8
  %11 = zext i32 %1 to i64
  %12 = getelementptr inbounds nuw %struct.Segment, ptr %10, i64 %11
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %14 = load i64, ptr %13, align 8
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %74, label %16

16:
  %17 = load ptr, ptr %12, align 8
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 4104
  %20 = zext i32 %4 to i64
  br label %21

21:
  %22 = phi i64 [ 0, %16 ], [ %72, %71 ]
  %23 = getelementptr inbounds nuw %struct.SegmentWord, ptr %17, i64 %22
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds nuw i64, ptr %18, i64 %24
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds nuw i8, ptr %23, i64 8
  %28 = load i64, ptr %27, align 8
  %29 = and i64 %28, %26
  %30 = icmp eq i64 %29, 0
  br i1 %30, label %71, label %31

31:
  %32 = trunc i64 %24 to i32
  %33 = shl i32 %32, 6
  br label %34

34:
  %35 = phi i64 [ 0, %31 ], [ %40, %39 ]
  %36 = shl nuw nsw i64 1, %35
  %37 = and i64 %36, %29
  %38 = icmp eq i64 %37, 0
  br i1 %38, label %39, label %42

39:
  %40 = add nuw nsw i64 %35, 1
  %41 = icmp eq i64 %40, 63
  br i1 %41, label %44, label %34

42:
  %43 = trunc nuw nsw i64 %35 to i32
  br label %44

44:
  %45 = phi i32 [ %43, %42 ], [ 63, %39 ]
  %46 = add i32 %45, %33
  br label %50

47:
  %48 = add nuw nsw i64 %51, 1
  %49 = icmp eq i64 %48, %20
  br i1 %49, label %71, label %50

50:
  %51 = phi i64 [ 0, %44 ], [ %48, %47 ]
  %52 = getelementptr inbounds nuw %struct.Outstanding, ptr %19, i64 %51
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 8
  %54 = load i32, ptr %53, align 8
  %55 = sub i32 %46, %54
  %56 = getelementptr inbounds nuw i8, ptr %52, i64 12
  %57 = load i32, ptr %56, align 4
  %58 = icmp ult i32 %55, %57
  br i1 %58, label %59, label %47

59:
  %60 = getelementptr inbounds nuw i8, ptr %52, i64 4
  %61 = load i32, ptr %60, align 4
  %62 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %63 = load i64, ptr %62, align 8
  %64 = tail call ptr @lm_hazard(ptr noundef nonnull %0, i32 noundef 4, i32 noundef %61, i64 noundef %63)
  %65 = getelementptr inbounds nuw i8, ptr %64, i64 12
  store i32 %1, ptr %65, align 4
  %66 = zext i32 %46 to i64
  %67 = getelementptr inbounds nuw i8, ptr %64, i64 48
  store i64 %66, ptr %67, align 8
  %68 = load i32, ptr %52, align 8
  %69 = zext i32 %68 to i64
  %70 = getelementptr inbounds nuw i8, ptr %64, i64 56
  store i64 %69, ptr %70, align 8
  br label %74

71:
  %72 = add nuw i64 %22, 1
  %73 = icmp eq i64 %72, %14
  br i1 %73, label %74, label %21

74:
  ret void
}

define void @lm_issue(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr {
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %9 = load i32, ptr %8, align 8
  switch i32 %9, label %10 [
    i32 256, label %16
    i32 0, label %20
  ]

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 4104
  %12 = add i32 %4, %3
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %14 = zext i32 %3 to i64
  %15 = zext i32 %2 to i64
  br label %31

16:
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %18 = load i64, ptr %17, align 8
  %19 = tail call ptr @lm_hazard(ptr noundef nonnull %0, i32 noundef 8, i32 noundef %2, i64 noundef %18)
  br label %93

20:
  %21 = phi i32 [ %9, %7 ], [ %64, %63 ]
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 4104
  %23 = add i32 %21, 1
  store i32 %23, ptr %8, align 8
  %24 = zext i32 %21 to i64
  %25 = getelementptr inbounds nuw %struct.Outstanding, ptr %22, i64 %24
  store i32 %1, ptr %25, align 8
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 4
  store i32 %2, ptr %26, align 4
  %27 = getelementptr inbounds nuw i8, ptr %25, i64 8
  store i32 %3, ptr %27, align 8
  %28 = getelementptr inbounds nuw i8, ptr %25, i64 12
  store i32 %4, ptr %28, align 4
  %29 = getelementptr inbounds nuw i8, ptr %25, i64 24
  store i32 %5, ptr %29, align 8
  %30 = icmp ult i32 %5, 2
  br i1 %30, label %68, label %73

31:
  %32 = phi i32 [ %9, %10 ], [ %64, %63 ]
  %33 = phi i64 [ 0, %10 ], [ %65, %63 ]
  %34 = getelementptr inbounds nuw %struct.Outstanding, ptr %11, i64 %33
  %35 = getelementptr inbounds nuw i8, ptr %34, i64 8
  %36 = load i32, ptr %35, align 8
  %37 = getelementptr inbounds nuw i8, ptr %34, i64 12
  %38 = load i32, ptr %37, align 4
  %39 = add i32 %38, %36
  %40 = icmp ult i32 %3, %39
  %41 = icmp ult i32 %36, %12
  %42 = and i1 %41, %40
  br i1 %42, label %43, label %63

43:
  %44 = load i32, ptr %34, align 8
  %45 = icmp eq i32 %44, %1
  br i1 %45, label %46, label %51

46:
  %47 = getelementptr inbounds nuw i8, ptr %34, i64 28
  %48 = load i32, ptr %47, align 4
  %49 = or i32 %48, %6
  %50 = icmp eq i32 %49, 0
  br i1 %50, label %63, label %51

51:
  %52 = getelementptr inbounds nuw i8, ptr %34, i64 4
  %53 = load i32, ptr %52, align 4
  %54 = load i64, ptr %13, align 8
  %55 = tail call ptr @lm_hazard(ptr noundef nonnull %0, i32 noundef 4, i32 noundef %53, i64 noundef %54)
  %56 = getelementptr inbounds nuw i8, ptr %55, i64 12
  store i32 -1, ptr %56, align 4
  %57 = getelementptr inbounds nuw i8, ptr %55, i64 48
  store i64 %14, ptr %57, align 8
  %58 = load i32, ptr %34, align 8
  %59 = zext i32 %58 to i64
  %60 = getelementptr inbounds nuw i8, ptr %55, i64 56
  store i64 %59, ptr %60, align 8
  %61 = getelementptr inbounds nuw i8, ptr %55, i64 64
  store i64 %15, ptr %61, align 8
  %62 = load i32, ptr %8, align 8
  br label %63

63:
  %64 = phi i32 [ %32, %46 ], [ %62, %51 ], [ %32, %31 ]
  %65 = add nuw nsw i64 %33, 1
  %66 = zext i32 %64 to i64
  %67 = icmp samesign ult i64 %65, %66
  br i1 %67, label %31, label %20

68:
  %69 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %70 = zext nneg i32 %5 to i64
  %71 = getelementptr inbounds nuw i64, ptr %69, i64 %70
  %72 = load i64, ptr %71, align 8
  br label %73

73:
  %74 = phi i64 [ %72, %68 ], [ 0, %20 ]
  %75 = getelementptr inbounds nuw i8, ptr %25, i64 16
  store i64 %74, ptr %75, align 8
  %76 = getelementptr inbounds nuw i8, ptr %25, i64 28
  store i32 %6, ptr %76, align 4
  %77 = add i32 %4, %3
  %78 = icmp ult i32 %3, %77
  br i1 %78, label %79, label %93

79:
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 248
  br label %81

81:
  %82 = phi i32 [ %3, %79 ], [ %91, %81 ]
  %83 = and i32 %82, 63
  %84 = zext nneg i32 %83 to i64
  %85 = shl nuw i64 1, %84
  %86 = lshr i32 %82, 6
  %87 = zext nneg i32 %86 to i64
  %88 = getelementptr inbounds nuw i64, ptr %80, i64 %87
  %89 = load i64, ptr %88, align 8
  %90 = or i64 %85, %89
  store i64 %90, ptr %88, align 8
  %91 = add nuw i32 %82, 1
  %92 = icmp eq i32 %91, %77
  br i1 %92, label %93, label %81

93:
  ret void
}

define void @lm_wait(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %162, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 4104
  %9 = zext i32 %5 to i64
  br label %12

10:
  %11 = icmp eq i32 %26, 0
  br i1 %11, label %162, label %29

12:
  %13 = phi i64 [ 0, %7 ], [ %27, %24 ]
  %14 = phi i32 [ 0, %7 ], [ %26, %24 ]
  %15 = phi i32 [ 0, %7 ], [ %25, %24 ]
  %16 = getelementptr inbounds nuw %struct.Outstanding, ptr %8, i64 %13
  %17 = load i32, ptr %16, align 8
  %18 = icmp eq i32 %17, %1
  br i1 %18, label %19, label %24

19:
  %20 = add i32 %14, 1
  %21 = getelementptr inbounds nuw i8, ptr %16, i64 28
  %22 = load i32, ptr %21, align 4
  %23 = add i32 %22, %15
  br label %24

24:
  %25 = phi i32 [ %23, %19 ], [ %15, %12 ]
  %26 = phi i32 [ %20, %19 ], [ %14, %12 ]
  %27 = add nuw nsw i64 %13, 1
  %28 = icmp eq i64 %27, %9
  br i1 %28, label %10, label %12

29:
  %30 = icmp eq i32 %2, 0
  br i1 %30, label %31, label %90

31:
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 4104
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %34 = zext i32 %5 to i64
  br label %40

35:
  store i32 %63, ptr %4, align 8
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 248
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(1280) %36, i8 0, i64 1280, i1 false)
  %37 = icmp eq i32 %63, 0
  br i1 %37, label %162, label %38

38:
  %39 = zext i32 %63 to i64
  br label %66

40:
  %41 = phi i64 [ 0, %31 ], [ %64, %62 ]
  %42 = phi i32 [ 0, %31 ], [ %63, %62 ]
  %43 = getelementptr inbounds nuw %struct.Outstanding, ptr %32, i64 %41
  %44 = load i32, ptr %43, align 8
  %45 = icmp eq i32 %44, %1
  br i1 %45, label %46, label %58

46:
  %47 = getelementptr inbounds nuw i8, ptr %43, i64 24
  %48 = load i32, ptr %47, align 8
  %49 = icmp ult i32 %48, 2
  br i1 %49, label %50, label %62

50:
  %51 = getelementptr inbounds nuw i8, ptr %43, i64 16
  %52 = load i64, ptr %51, align 8
  %53 = zext nneg i32 %48 to i64
  %54 = getelementptr inbounds nuw i64, ptr %33, i64 %53
  %55 = load i64, ptr %54, align 8
  %56 = icmp ugt i64 %52, %55
  br i1 %56, label %57, label %62

57:
  store i64 %52, ptr %54, align 8
  br label %62

58:
  %59 = add i32 %42, 1
  %60 = zext i32 %42 to i64
  %61 = getelementptr inbounds nuw %struct.Outstanding, ptr %32, i64 %60
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %61, ptr noundef nonnull align 8 dereferenceable(32) %43, i64 32, i1 false)
  br label %62

62:
  %63 = phi i32 [ %59, %58 ], [ %42, %57 ], [ %42, %50 ], [ %42, %46 ]
  %64 = add nuw nsw i64 %41, 1
  %65 = icmp eq i64 %64, %34
  br i1 %65, label %35, label %40

66:
  %67 = phi i64 [ 0, %38 ], [ %88, %87 ]
  %68 = getelementptr inbounds nuw %struct.Outstanding, ptr %32, i64 %67
  %69 = getelementptr inbounds nuw i8, ptr %68, i64 8
  %70 = load i32, ptr %69, align 8
  %71 = getelementptr inbounds nuw i8, ptr %68, i64 12
  %72 = load i32, ptr %71, align 4
  %73 = add i32 %72, %70
  %74 = icmp ult i32 %70, %73
  br i1 %74, label %75, label %87

75:
  %76 = phi i32 [ %85, %75 ], [ %70, %66 ]
  %77 = and i32 %76, 63
  %78 = zext nneg i32 %77 to i64
  %79 = shl nuw i64 1, %78
  %80 = lshr i32 %76, 6
  %81 = zext nneg i32 %80 to i64
  %82 = getelementptr inbounds nuw i64, ptr %36, i64 %81
  %83 = load i64, ptr %82, align 8
  %84 = or i64 %79, %83
  store i64 %84, ptr %82, align 8
  %85 = add nuw i32 %76, 1
  %86 = icmp eq i32 %85, %73
  br i1 %86, label %87, label %75

87:
  %88 = add nuw nsw i64 %67, 1
  %89 = icmp eq i64 %88, %39
  br i1 %89, label %162, label %66

90:
  %91 = tail call i32 @llvm.usub.sat.i32(i32 %26, i32 %2)
  %92 = icmp ugt i32 %91, %25
  br i1 %92, label %93, label %162

93:
  %94 = sub nuw i32 %91, %25
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 4104
  %96 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %97 = zext i32 %5 to i64
  br label %103

98:
  store i32 %134, ptr %4, align 8
  %99 = getelementptr inbounds nuw i8, ptr %0, i64 248
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(1280) %99, i8 0, i64 1280, i1 false)
  %100 = icmp eq i32 %134, 0
  br i1 %100, label %162, label %101

101:
  %102 = zext i32 %134 to i64
  br label %138

103:
  %104 = phi i64 [ 0, %93 ], [ %136, %133 ]
  %105 = phi i32 [ %94, %93 ], [ %135, %133 ]
  %106 = phi i32 [ 0, %93 ], [ %134, %133 ]
  %107 = getelementptr inbounds nuw %struct.Outstanding, ptr %95, i64 %104
  %108 = load i32, ptr %107, align 8
  %109 = icmp eq i32 %108, %1
  %110 = icmp ne i32 %105, 0
  %111 = select i1 %109, i1 %110, i1 false
  br i1 %111, label %112, label %129

112:
  %113 = getelementptr inbounds nuw i8, ptr %107, i64 28
  %114 = load i32, ptr %113, align 4
  %115 = icmp eq i32 %114, 0
  br i1 %115, label %116, label %129

116:
  %117 = add i32 %105, -1
  %118 = getelementptr inbounds nuw i8, ptr %107, i64 24
  %119 = load i32, ptr %118, align 8
  %120 = icmp ult i32 %119, 2
  br i1 %120, label %121, label %133

121:
  %122 = getelementptr inbounds nuw i8, ptr %107, i64 16
  %123 = load i64, ptr %122, align 8
  %124 = zext nneg i32 %119 to i64
  %125 = getelementptr inbounds nuw i64, ptr %96, i64 %124
  %126 = load i64, ptr %125, align 8
  %127 = icmp ugt i64 %123, %126
  br i1 %127, label %128, label %133

128:
  store i64 %123, ptr %125, align 8
  br label %133

129:
  %130 = add i32 %106, 1
  %131 = zext i32 %106 to i64
  %132 = getelementptr inbounds nuw %struct.Outstanding, ptr %95, i64 %131
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %132, ptr noundef nonnull align 8 dereferenceable(32) %107, i64 32, i1 false)
  br label %133

133:
  %134 = phi i32 [ %130, %129 ], [ %106, %128 ], [ %106, %121 ], [ %106, %116 ]
  %135 = phi i32 [ %105, %129 ], [ %117, %128 ], [ %117, %121 ], [ %117, %116 ]
  %136 = add nuw nsw i64 %104, 1
  %137 = icmp eq i64 %136, %97
  br i1 %137, label %98, label %103

138:
  %139 = phi i64 [ 0, %101 ], [ %160, %159 ]
  %140 = getelementptr inbounds nuw %struct.Outstanding, ptr %95, i64 %139
  %141 = getelementptr inbounds nuw i8, ptr %140, i64 8
  %142 = load i32, ptr %141, align 8
  %143 = getelementptr inbounds nuw i8, ptr %140, i64 12
  %144 = load i32, ptr %143, align 4
  %145 = add i32 %144, %142
  %146 = icmp ult i32 %142, %145
  br i1 %146, label %147, label %159

147:
  %148 = phi i32 [ %157, %147 ], [ %142, %138 ]
  %149 = and i32 %148, 63
  %150 = zext nneg i32 %149 to i64
  %151 = shl nuw i64 1, %150
  %152 = lshr i32 %148, 6
  %153 = zext nneg i32 %152 to i64
  %154 = getelementptr inbounds nuw i64, ptr %99, i64 %153
  %155 = load i64, ptr %154, align 8
  %156 = or i64 %151, %155
  store i64 %156, ptr %154, align 8
  %157 = add nuw i32 %148, 1
  %158 = icmp eq i32 %157, %145
  br i1 %158, label %159, label %147

159:
  %160 = add nuw nsw i64 %139, 1
  %161 = icmp eq i64 %160, %102
  br i1 %161, label %162, label %138

162:
  ret void
}

define void @lm_ptx_add_floats(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7) local_unnamed_addr {
  %9 = alloca %struct.Access, align 8
  %10 = alloca %struct.Exchange, align 8
  %11 = icmp eq i64 %3, 0
  br i1 %11, label %15, label %12

12:
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  %13 = or i32 %7, 7
  call void @begin_access(ptr dead_on_unwind nonnull writable sret(%struct.Access) align 8 %9, ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %13, i32 noundef %5)
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %10, i8 0, i64 80, i1 false)
  %14 = getelementptr inbounds nuw i8, ptr %10, i64 68
  store i32 %4, ptr %14, align 4
  call void @exchange(ptr noundef %0, ptr noundef nonnull %9, i64 noundef %3, i32 noundef %6, i32 noundef %6, ptr noundef nonnull %10, ptr noundef nonnull @add_number, i32 noundef 0, i32 noundef 0)
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  br label %15

15:
  ret void
}

define internal void @add_number(ptr noundef captures(none) initializes((48, 56)) %0) {
  %2 = load i64, ptr %0, align 8
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %4 = load i64, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 68
  %6 = load i32, ptr %5, align 4
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 76
  %8 = load i32, ptr %7, align 4
  %9 = icmp eq i32 %6, 8
  %10 = icmp eq i32 %8, 0
  br i1 %9, label %11, label %23

11:
  br i1 %10, label %18, label %12

12:
  %13 = and i64 %4, 9223372036854775807
  %14 = icmp samesign ult i64 %13, 9218868437227405313
  br i1 %14, label %15, label %52

15:
  %16 = and i64 %2, 9223372036854775807
  %17 = icmp samesign ult i64 %16, 9218868437227405313
  br i1 %17, label %18, label %52

18:
  %19 = bitcast i64 %2 to double
  %20 = bitcast i64 %4 to double
  %21 = fadd double %19, %20
  %22 = bitcast double %21 to i64
  br label %52

23:
  br i1 %10, label %33, label %24

24:
  %25 = and i64 %2, 2139095040
  %26 = icmp eq i64 %25, 0
  %27 = and i64 %2, 2147483648
  %28 = select i1 %26, i64 %27, i64 %2
  %29 = and i64 %4, 2139095040
  %30 = icmp eq i64 %29, 0
  %31 = and i64 %4, 2147483648
  %32 = select i1 %30, i64 %31, i64 %4
  br label %33

33:
  %34 = phi i64 [ %32, %24 ], [ %4, %23 ]
  %35 = phi i64 [ %28, %24 ], [ %2, %23 ]
  %36 = trunc i64 %35 to i32
  %37 = bitcast i32 %36 to float
  %38 = trunc i64 %34 to i32
  %39 = bitcast i32 %38 to float
  %40 = fadd float %39, %37
  %41 = bitcast float %40 to i32
  %42 = zext i32 %41 to i64
  %43 = and i64 %42, 2147483647
  %44 = icmp samesign ugt i64 %43, 2139095040
  %45 = or i1 %10, %44
  %46 = select i1 %44, i64 2147483647, i64 %42
  br i1 %45, label %52, label %47

47:
  %48 = and i64 %42, 2139095040
  %49 = icmp eq i64 %48, 0
  %50 = and i64 %42, 2147483648
  %51 = select i1 %49, i64 %50, i64 %42
  br label %52

52:
  %53 = phi i64 [ %2, %15 ], [ %4, %12 ], [ %22, %18 ], [ %46, %33 ], [ %51, %47 ]
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 48
  store i64 %53, ptr %54, align 8
  ret void
}

define void @lm_ptx_half_atomic(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, i32 noundef %8) local_unnamed_addr {
  %10 = alloca %struct.Access, align 8
  %11 = alloca %struct.Exchange, align 8
  %12 = icmp eq i64 %3, 0
  br i1 %12, label %27, label %13

13:
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  %14 = or i32 %8, 7
  call void @begin_access(ptr dead_on_unwind nonnull writable sret(%struct.Access) align 8 %10, ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %14, i32 noundef %5)
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %11, i8 0, i64 80, i1 false)
  %15 = getelementptr inbounds nuw i8, ptr %11, i64 64
  store i32 %6, ptr %15, align 8
  %16 = getelementptr inbounds nuw i8, ptr %11, i64 68
  store i32 %4, ptr %16, align 4
  %17 = getelementptr inbounds nuw i8, ptr %11, i64 72
  %18 = icmp eq i32 %7, 0
  %19 = select i1 %18, i32 1, i32 2
  store i32 %19, ptr %17, align 8
  %20 = icmp eq i32 %6, 3
  %21 = icmp eq i32 %6, 4
  %22 = add i32 %6, -3
  %23 = icmp ult i32 %22, 2
  %24 = select i1 %23, ptr @keep_operand, ptr @change_halves
  %25 = zext i1 %21 to i32
  %26 = zext i1 %20 to i32
  call void @exchange(ptr noundef %0, ptr noundef nonnull %10, i64 noundef %3, i32 noundef 0, i32 noundef 1, ptr noundef nonnull %11, ptr noundef nonnull %24, i32 noundef %25, i32 noundef %26)
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  br label %27

27:
  ret void
}

define internal void @keep_operand(ptr readnone captures(none) %0) {
  ret void
}

define internal void @change_halves(ptr noundef captures(none) initializes((48, 56)) %0) {
  %2 = load i64, ptr %0, align 8
  %3 = trunc i64 %2 to i32
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load i64, ptr %4, align 8
  %6 = trunc i64 %5 to i32
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %8 = load i32, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %10 = load i32, ptr %9, align 8
  %11 = tail call fastcc i32 @half_operation(i32 noundef %8, i32 noundef %10, i32 noundef %3, i32 noundef %6)
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 68
  %13 = load i32, ptr %12, align 4
  %14 = icmp eq i32 %13, 4
  br i1 %14, label %15, label %21

15:
  %16 = lshr i32 %3, 16
  %17 = lshr i32 %6, 16
  %18 = tail call fastcc i32 @half_operation(i32 noundef %8, i32 noundef %10, i32 noundef %16, i32 noundef %17)
  %19 = shl nuw i32 %18, 16
  %20 = or disjoint i32 %19, %11
  br label %21

21:
  %22 = phi i32 [ %20, %15 ], [ %11, %1 ]
  %23 = zext i32 %22 to i64
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 48
  store i64 %23, ptr %24, align 8
  ret void
}

define void @lm_ptx_wide_atomic(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = alloca %struct.Access, align 8
  %8 = alloca %struct.Exchange, align 8
  %9 = icmp eq i64 %3, 0
  br i1 %9, label %15, label %10

10:
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  %11 = or i32 %5, 7
  call void @begin_access(ptr dead_on_unwind nonnull writable sret(%struct.Access) align 8 %7, ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %11, i32 noundef 16)
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %8, i8 0, i64 80, i1 false)
  %12 = getelementptr inbounds nuw i8, ptr %8, i64 68
  store i32 16, ptr %12, align 4
  %13 = icmp eq i32 %4, 0
  %14 = zext i1 %13 to i32
  call void @exchange(ptr noundef %0, ptr noundef nonnull %7, i64 noundef %3, i32 noundef 0, i32 noundef 4, ptr noundef nonnull %8, ptr noundef nonnull @keep_operand, i32 noundef %14, i32 noundef %4)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  br label %15

15:
  ret void
}

define void @lm_ptx_discard(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = alloca i32, align 4
  %7 = alloca %struct.Touch, align 8
  %8 = alloca %struct.Access, align 8
  %9 = alloca i64, align 8
  %10 = alloca [128 x i8], align 16
  %11 = alloca [128 x i8], align 16
  %12 = alloca %struct.Range, align 8
  %13 = icmp eq i64 %3, 0
  br i1 %13, label %39, label %14

14:
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @begin_access(ptr dead_on_unwind nonnull writable sret(%struct.Access) align 8 %8, ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef 2, i32 noundef %4)
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %16 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %17 = getelementptr inbounds nuw i8, ptr %12, i64 12
  %18 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %19 = getelementptr inbounds nuw i8, ptr %12, i64 20
  %20 = getelementptr inbounds nuw i8, ptr %12, i64 24
  %21 = getelementptr inbounds nuw i8, ptr %12, i64 32
  %22 = getelementptr inbounds nuw i8, ptr %12, i64 40
  %23 = zext i32 %4 to i64
  br label %25

24:
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  br label %39

25:
  %26 = phi i64 [ %3, %14 ], [ %37, %35 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(128) %10, i8 0, i64 128, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  %27 = call range(i64 0, 65) i64 @llvm.cttz.i64(i64 %26, i1 true)
  %28 = trunc nuw nsw i64 %27 to i32
  %29 = getelementptr inbounds nuw i64, ptr %15, i64 %27
  %30 = load i64, ptr %29, align 8
  store i64 %30, ptr %12, align 8
  store i32 %4, ptr %16, align 8
  store i32 0, ptr %17, align 4
  store i32 %28, ptr %18, align 8
  store i32 0, ptr %19, align 4
  store ptr %10, ptr %20, align 8
  store ptr %11, ptr %21, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %22, i8 0, i64 16, i1 false)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(128) %11, i8 -1, i64 128, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(64) %7, i8 0, i64 64, i1 false)
  %31 = call fastcc ptr @checked(ptr noundef nonnull %8, ptr noundef nonnull readonly %12, ptr noundef nonnull %9, ptr noundef %7, ptr noundef %6)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  %32 = icmp eq ptr %31, null
  br i1 %32, label %35, label %33

33:
  %34 = load i64, ptr %9, align 8
  call void @undefine(ptr noundef nonnull %8, i32 noundef %28, ptr noundef nonnull %31, i64 noundef %34, i64 noundef %23)
  br label %35

35:
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  %36 = add i64 %26, -1
  %37 = and i64 %36, %26
  %38 = icmp eq i64 %37, 0
  br i1 %38, label %24, label %25

39:
  ret void
}

define range(i32 0, 3) i32 @arrive_whole(ptr noundef captures(address_is_null) %0, ptr noundef readonly captures(none) %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %1, i64 32
  br label %6

4:
  %5 = icmp eq i32 %23, 16
  br i1 %5, label %27, label %92

6:
  %7 = phi i64 [ 0, %2 ], [ %25, %22 ]
  %8 = phi i32 [ 0, %2 ], [ %24, %22 ]
  %9 = phi i32 [ 16, %2 ], [ %23, %22 ]
  %10 = getelementptr inbounds nuw %struct.Lanes, ptr %3, i64 %7
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %12 = load i32, ptr %11, align 8
  %13 = icmp eq i32 %12, 3
  br i1 %13, label %14, label %22

14:
  %15 = getelementptr inbounds nuw i8, ptr %10, i64 12
  %16 = load i32, ptr %15, align 4
  %17 = and i32 %16, 31
  %18 = icmp eq i32 %17, 16
  %19 = lshr i32 %16, 5
  %20 = select i1 %18, i32 %9, i32 %17
  %21 = select i1 %18, i32 %8, i32 %19
  br label %22

22:
  %23 = phi i32 [ %9, %6 ], [ %20, %14 ]
  %24 = phi i32 [ %8, %6 ], [ %21, %14 ]
  %25 = add nuw nsw i64 %7, 1
  %26 = icmp eq i64 %25, 32
  br i1 %26, label %4, label %6

27:
  %28 = load ptr, ptr %0, align 8
  %29 = getelementptr inbounds nuw i8, ptr %28, i64 216
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 552
  %32 = load i64, ptr %31, align 8
  %33 = icmp eq i64 %30, %32
  br i1 %33, label %34, label %36

34:
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 196
  store i32 16, ptr %35, align 4
  br label %138

36:
  %37 = getelementptr inbounds nuw i8, ptr %28, i64 208
  %38 = load ptr, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %28, i64 120
  %40 = load ptr, ptr %39, align 8
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %42 = load i32, ptr %41, align 4
  %43 = zext i32 %42 to i64
  %44 = getelementptr inbounds nuw i8, ptr %28, i64 112
  %45 = load i64, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %47 = load i32, ptr %46, align 8
  %48 = zext i32 %47 to i64
  %49 = mul i64 %45, %48
  %50 = add i64 %49, 3
  %51 = mul i64 %50, %43
  %52 = getelementptr inbounds nuw i64, ptr %40, i64 %51
  %53 = tail call i64 @llvm.umin.i64(i64 %45, i64 7)
  %54 = mul nuw nsw i64 %53, %48
  %55 = add nuw nsw i64 %54, 2
  br label %56

56:
  %57 = phi i64 [ %65, %64 ], [ 0, %36 ]
  %58 = getelementptr inbounds nuw i64, ptr %38, i64 %57
  %59 = load i64, ptr %58, align 8
  %60 = getelementptr inbounds nuw i64, ptr %52, i64 %57
  %61 = load i64, ptr %60, align 8
  %62 = icmp ugt i64 %59, %61
  br i1 %62, label %63, label %64

63:
  store i64 %59, ptr %60, align 8
  br label %64

64:
  %65 = add nuw nsw i64 %57, 1
  %66 = icmp eq i64 %57, %55
  br i1 %66, label %67, label %56

67:
  %68 = getelementptr inbounds nuw i8, ptr %28, i64 128
  %69 = load ptr, ptr %68, align 8
  %70 = icmp eq ptr %69, null
  br i1 %70, label %98, label %71

71:
  %72 = shl nuw nsw i64 %43, 3
  %73 = or disjoint i64 %72, 4
  %74 = mul i64 %73, %48
  %75 = getelementptr inbounds nuw i64, ptr %69, i64 %74
  %76 = getelementptr inbounds nuw i8, ptr %38, i64 24
  %77 = mul nuw nsw i64 %48, 56
  %78 = getelementptr inbounds nuw i8, ptr %76, i64 %77
  %79 = shl nuw nsw i64 %48, 2
  %80 = icmp eq i32 %47, 0
  br i1 %80, label %98, label %81

81:
  %82 = phi i64 [ %90, %89 ], [ 0, %71 ]
  %83 = getelementptr inbounds nuw i64, ptr %78, i64 %82
  %84 = load i64, ptr %83, align 8
  %85 = getelementptr inbounds nuw i64, ptr %75, i64 %82
  %86 = load i64, ptr %85, align 8
  %87 = icmp ugt i64 %84, %86
  br i1 %87, label %88, label %89

88:
  store i64 %84, ptr %85, align 8
  br label %89

89:
  %90 = add nuw nsw i64 %82, 1
  %91 = icmp eq i64 %90, %79
  br i1 %91, label %98, label %81

92:
  %93 = tail call fastcc i32 @come(ptr noundef %0, i32 noundef %23, i32 noundef %24)
  %94 = icmp eq i32 %93, 0
  br i1 %94, label %126, label %95

95:
  %96 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %97 = load ptr, ptr %96, align 8
  tail call fastcc void @complete(ptr noundef %97, i32 noundef %23, ptr noundef %0)
  br label %98

98:
  %99 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %100 = load i32, ptr %99, align 8
  %101 = icmp eq i32 %100, 0
  br i1 %101, label %102, label %107

102:
  store i32 1, ptr %99, align 8
  %103 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %104 = load i64, ptr %103, align 8
  %105 = trunc i64 %104 to i32
  %106 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %105, ptr %106, align 4
  br label %107

107:
  %108 = getelementptr inbounds nuw i8, ptr %0, i64 1560
  br label %109

109:
  %110 = phi i64 [ 0, %107 ], [ %122, %121 ]
  %111 = getelementptr inbounds nuw %struct.Lanes, ptr %108, i64 %110
  %112 = getelementptr inbounds nuw i8, ptr %111, i64 8
  %113 = load i32, ptr %112, align 8
  %114 = icmp eq i32 %113, 3
  br i1 %114, label %115, label %121

115:
  %116 = getelementptr inbounds nuw i8, ptr %111, i64 12
  %117 = load i32, ptr %116, align 4
  %118 = and i32 %117, 31
  %119 = icmp eq i32 %118, %23
  br i1 %119, label %120, label %121

120:
  store i32 1, ptr %112, align 8
  br label %121

121:
  %122 = add nuw nsw i64 %110, 1
  %123 = icmp eq i64 %122, 32
  br i1 %123, label %124, label %109

124:
  %125 = tail call i32 @choose(ptr noundef nonnull %0, ptr noundef nonnull %99)
  br label %140

126:
  %127 = getelementptr inbounds nuw i8, ptr %0, i64 196
  store i32 %23, ptr %127, align 4
  %128 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %129 = load i32, ptr %128, align 8
  %130 = shl nuw i32 1, %129
  %131 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %132 = load ptr, ptr %131, align 8
  %133 = zext nneg i32 %23 to i64
  %134 = getelementptr inbounds nuw %struct.Barrier, ptr %132, i64 %133
  %135 = getelementptr inbounds nuw i8, ptr %134, i64 152
  %136 = load i32, ptr %135, align 4
  %137 = or i32 %136, %130
  store i32 %137, ptr %135, align 4
  br label %138

138:
  %139 = getelementptr inbounds nuw i8, ptr %0, i64 244
  store i32 1, ptr %139, align 4
  br label %140

140:
  %141 = phi i32 [ 0, %124 ], [ 2, %138 ]
  ret i32 %141
}

define internal fastcc range(i32 0, 2) i32 @come(ptr noundef readonly captures(none) %0, i32 noundef range(i32 0, 32) %1, i32 noundef %2) unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 144
  %7 = zext nneg i32 %1 to i64
  %8 = getelementptr inbounds nuw %struct.Barrier, ptr %6, i64 %7
  store i32 %2, ptr %8, align 4
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 4
  %10 = load i32, ptr %9, align 4
  %11 = add i32 %10, 32
  store i32 %11, ptr %9, align 4
  %12 = getelementptr inbounds nuw i8, ptr %5, i64 136
  %13 = load ptr, ptr %12, align 8
  %14 = load ptr, ptr %5, align 8
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 112
  %16 = load i64, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %18 = load i32, ptr %17, align 8
  %19 = zext i32 %18 to i64
  %20 = mul i64 %16, %19
  %21 = add i64 %20, 3
  %22 = mul i64 %21, %7
  %23 = getelementptr inbounds nuw i64, ptr %13, i64 %22
  %24 = load ptr, ptr %0, align 8
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 120
  %26 = load ptr, ptr %25, align 8
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %28 = load i32, ptr %27, align 4
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds nuw i8, ptr %24, i64 112
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %33 = load i32, ptr %32, align 8
  %34 = zext i32 %33 to i64
  %35 = mul i64 %31, %34
  %36 = add i64 %35, 3
  %37 = mul i64 %36, %29
  %38 = getelementptr inbounds nuw i64, ptr %26, i64 %37
  %39 = tail call i64 @llvm.umin.i64(i64 %31, i64 7)
  %40 = mul nuw nsw i64 %39, %34
  %41 = add nuw nsw i64 %40, 2
  br label %42

42:
  %43 = phi i64 [ %51, %50 ], [ 0, %3 ]
  %44 = getelementptr inbounds nuw i64, ptr %38, i64 %43
  %45 = load i64, ptr %44, align 8
  %46 = getelementptr inbounds nuw i64, ptr %23, i64 %43
  %47 = load i64, ptr %46, align 8
  %48 = icmp ugt i64 %45, %47
  br i1 %48, label %49, label %50

49:
  store i64 %45, ptr %46, align 8
  br label %50

50:
  %51 = add nuw nsw i64 %43, 1
  %52 = icmp eq i64 %43, %41
  br i1 %52, label %53, label %42

53:
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %55 = load ptr, ptr %54, align 8
  %56 = getelementptr inbounds nuw i8, ptr %55, i64 144
  %57 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %59 = getelementptr inbounds nuw i8, ptr %23, i64 24
  %60 = getelementptr inbounds nuw i64, ptr %59, i64 %29
  br label %84

61:
  %62 = getelementptr inbounds nuw i8, ptr %24, i64 128
  %63 = load ptr, ptr %62, align 8
  %64 = icmp eq ptr %63, null
  br i1 %64, label %99, label %65

65:
  %66 = mul nuw nsw i64 %34, 56
  %67 = getelementptr inbounds nuw i8, ptr %59, i64 %66
  %68 = shl nuw nsw i64 %29, 3
  %69 = mul i64 %68, %34
  %70 = getelementptr inbounds nuw i64, ptr %63, i64 %69
  %71 = shl nuw nsw i64 %34, 2
  %72 = icmp eq i32 %33, 0
  br i1 %72, label %99, label %73

73:
  %74 = phi i64 [ %82, %81 ], [ 0, %65 ]
  %75 = getelementptr inbounds nuw i64, ptr %70, i64 %74
  %76 = load i64, ptr %75, align 8
  %77 = getelementptr inbounds nuw i64, ptr %67, i64 %74
  %78 = load i64, ptr %77, align 8
  %79 = icmp ugt i64 %76, %78
  br i1 %79, label %80, label %81

80:
  store i64 %76, ptr %77, align 8
  br label %81

81:
  %82 = add nuw nsw i64 %74, 1
  %83 = icmp eq i64 %82, %71
  br i1 %83, label %99, label %73

84:
  %85 = phi i1 [ true, %53 ], [ false, %98 ]
  %86 = phi i64 [ 0, %53 ], [ 1, %98 ]
  %87 = load i64, ptr %56, align 8
  %88 = icmp ne i64 %87, 0
  %89 = or i1 %85, %88
  %90 = getelementptr inbounds nuw i64, ptr %57, i64 %86
  %91 = select i1 %89, ptr %90, ptr %58
  %92 = load i64, ptr %91, align 8
  %93 = mul nuw nsw i64 %86, %34
  %94 = getelementptr inbounds nuw i64, ptr %60, i64 %93
  %95 = load i64, ptr %94, align 8
  %96 = icmp ugt i64 %92, %95
  br i1 %96, label %97, label %98

97:
  store i64 %92, ptr %94, align 8
  br label %98

98:
  br i1 %85, label %84, label %61

99:
  %100 = icmp eq i32 %2, 0
  br i1 %100, label %101, label %126

101:
  %102 = getelementptr inbounds nuw i8, ptr %5, i64 12
  %103 = load i32, ptr %102, align 4
  %104 = icmp eq i32 %103, 0
  br i1 %104, label %126, label %105

105:
  %106 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %107 = load ptr, ptr %106, align 8
  %108 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %109 = load i32, ptr %108, align 8
  %110 = zext i32 %103 to i64
  br label %111

111:
  %112 = phi i64 [ 0, %105 ], [ %124, %111 ]
  %113 = phi i32 [ 0, %105 ], [ %123, %111 ]
  %114 = trunc nuw i64 %112 to i32
  %115 = add i32 %109, %114
  %116 = zext i32 %115 to i64
  %117 = getelementptr inbounds nuw ptr, ptr %107, i64 %116
  %118 = load ptr, ptr %117, align 8
  %119 = getelementptr inbounds nuw i8, ptr %118, i64 164
  %120 = load i32, ptr %119, align 4
  %121 = icmp eq i32 %120, 1
  %122 = add i32 %113, 32
  %123 = select i1 %121, i32 %113, i32 %122
  %124 = add nuw nsw i64 %112, 1
  %125 = icmp eq i64 %124, %110
  br i1 %125, label %126, label %111

126:
  %127 = phi i32 [ %2, %99 ], [ 0, %101 ], [ %123, %111 ]
  %128 = icmp uge i32 %11, %127
  %129 = zext i1 %128 to i32
  ret i32 %129
}

define internal fastcc void @complete(ptr noundef captures(none) %0, i32 noundef range(i32 0, 32) %1, ptr noundef readonly captures(address_is_null) %2) unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %5 = zext nneg i32 %1 to i64
  %6 = getelementptr inbounds nuw %struct.Barrier, ptr %4, i64 %5
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %8 = load ptr, ptr %7, align 8
  %9 = load ptr, ptr %0, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 112
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %13 = load i32, ptr %12, align 8
  %14 = zext i32 %13 to i64
  %15 = mul i64 %11, %14
  %16 = add i64 %15, 3
  %17 = mul i64 %16, %5
  %18 = getelementptr inbounds nuw i64, ptr %8, i64 %17
  %19 = icmp eq ptr %2, null
  br i1 %19, label %75, label %20

20:
  %21 = load ptr, ptr %2, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 120
  %23 = load ptr, ptr %22, align 8
  %24 = getelementptr inbounds nuw i8, ptr %2, i64 28
  %25 = load i32, ptr %24, align 4
  %26 = zext i32 %25 to i64
  %27 = getelementptr inbounds nuw i8, ptr %21, i64 112
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %30 = load i32, ptr %29, align 8
  %31 = zext i32 %30 to i64
  %32 = mul i64 %28, %31
  %33 = add i64 %32, 3
  %34 = mul i64 %33, %26
  %35 = getelementptr inbounds nuw i64, ptr %23, i64 %34
  %36 = tail call i64 @llvm.umin.i64(i64 %28, i64 7)
  %37 = mul nuw nsw i64 %36, %31
  %38 = add nuw nsw i64 %37, 2
  br label %39

39:
  %40 = phi i64 [ %48, %47 ], [ 0, %20 ]
  %41 = getelementptr inbounds nuw i64, ptr %18, i64 %40
  %42 = load i64, ptr %41, align 8
  %43 = getelementptr inbounds nuw i64, ptr %35, i64 %40
  %44 = load i64, ptr %43, align 8
  %45 = icmp ugt i64 %42, %44
  br i1 %45, label %46, label %47

46:
  store i64 %42, ptr %43, align 8
  br label %47

47:
  %48 = add nuw nsw i64 %40, 1
  %49 = icmp eq i64 %40, %38
  br i1 %49, label %50, label %39

50:
  %51 = getelementptr inbounds nuw i8, ptr %21, i64 128
  %52 = load ptr, ptr %51, align 8
  %53 = icmp eq ptr %52, null
  br i1 %53, label %75, label %54

54:
  %55 = shl nuw nsw i64 %26, 3
  %56 = or disjoint i64 %55, 4
  %57 = mul i64 %56, %31
  %58 = getelementptr inbounds nuw i64, ptr %52, i64 %57
  %59 = getelementptr inbounds nuw i8, ptr %18, i64 24
  %60 = mul nuw nsw i64 %31, 56
  %61 = getelementptr inbounds nuw i8, ptr %59, i64 %60
  %62 = shl nuw nsw i64 %31, 2
  %63 = icmp eq i32 %30, 0
  br i1 %63, label %75, label %64

64:
  %65 = phi i64 [ %73, %72 ], [ 0, %54 ]
  %66 = getelementptr inbounds nuw i64, ptr %61, i64 %65
  %67 = load i64, ptr %66, align 8
  %68 = getelementptr inbounds nuw i64, ptr %58, i64 %65
  %69 = load i64, ptr %68, align 8
  %70 = icmp ugt i64 %67, %69
  br i1 %70, label %71, label %72

71:
  store i64 %67, ptr %68, align 8
  br label %72

72:
  %73 = add nuw nsw i64 %65, 1
  %74 = icmp eq i64 %73, %62
  br i1 %74, label %75, label %64

75:
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %77 = load i32, ptr %76, align 4
  %78 = icmp eq i32 %77, 0
  br i1 %78, label %87, label %79

79:
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %81 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %82 = getelementptr inbounds nuw i8, ptr %18, i64 24
  br label %105

83:
  %84 = getelementptr inbounds nuw i8, ptr %215, i64 8
  %85 = load i32, ptr %84, align 8
  %86 = zext i32 %85 to i64
  br label %87

87:
  %88 = phi i64 [ %86, %83 ], [ %14, %75 ]
  %89 = phi ptr [ %215, %83 ], [ %9, %75 ]
  %90 = getelementptr inbounds nuw i8, ptr %89, i64 112
  %91 = load i64, ptr %90, align 8
  %92 = shl i64 %91, 3
  %93 = mul i64 %92, %88
  %94 = add i64 %93, 24
  tail call void @llvm.memset.p0.i64(ptr align 1 %18, i8 0, i64 %94, i1 false)
  %95 = getelementptr inbounds nuw i8, ptr %6, i64 12
  %96 = load i64, ptr %95, align 4
  %97 = shl nuw nsw i32 %1, 1
  %98 = zext nneg i32 %97 to i64
  %99 = getelementptr inbounds nuw i64, ptr %4, i64 %98
  %100 = getelementptr inbounds nuw i8, ptr %99, i64 480
  store i64 %96, ptr %100, align 8
  %101 = getelementptr inbounds nuw i8, ptr %6, i64 20
  %102 = load i32, ptr %101, align 4
  %103 = zext i32 %102 to i64
  %104 = getelementptr inbounds nuw i8, ptr %99, i64 488
  store i64 %103, ptr %104, align 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(24) %6, i8 0, i64 24, i1 false)
  ret void

105:
  %106 = phi i32 [ %77, %79 ], [ %214, %213 ]
  %107 = phi ptr [ %9, %79 ], [ %215, %213 ]
  %108 = phi i32 [ 0, %79 ], [ %216, %213 ]
  %109 = getelementptr inbounds nuw i8, ptr %107, i64 16
  %110 = load ptr, ptr %109, align 8
  %111 = load i32, ptr %80, align 8
  %112 = add i32 %111, %108
  %113 = zext i32 %112 to i64
  %114 = getelementptr inbounds nuw ptr, ptr %110, i64 %113
  %115 = load ptr, ptr %114, align 8
  %116 = load i32, ptr %81, align 4
  %117 = shl nuw i32 1, %108
  %118 = and i32 %116, %117
  %119 = icmp eq i32 %118, 0
  br i1 %119, label %213, label %120

120:
  %121 = getelementptr inbounds nuw i8, ptr %115, i64 164
  %122 = load i32, ptr %121, align 4
  %123 = icmp eq i32 %122, 2
  br i1 %123, label %124, label %213

124:
  %125 = getelementptr inbounds nuw i8, ptr %115, i64 196
  %126 = load i32, ptr %125, align 4
  %127 = icmp eq i32 %126, %1
  br i1 %127, label %128, label %213

128:
  %129 = load ptr, ptr %115, align 8
  %130 = getelementptr inbounds nuw i8, ptr %129, i64 120
  %131 = load ptr, ptr %130, align 8
  %132 = getelementptr inbounds nuw i8, ptr %115, i64 28
  %133 = load i32, ptr %132, align 4
  %134 = zext i32 %133 to i64
  %135 = getelementptr inbounds nuw i8, ptr %129, i64 112
  %136 = load i64, ptr %135, align 8
  %137 = getelementptr inbounds nuw i8, ptr %129, i64 8
  %138 = load i32, ptr %137, align 8
  %139 = zext i32 %138 to i64
  %140 = mul i64 %136, %139
  %141 = add i64 %140, 3
  %142 = mul i64 %141, %134
  %143 = getelementptr inbounds nuw i64, ptr %131, i64 %142
  %144 = tail call i64 @llvm.umin.i64(i64 %136, i64 7)
  %145 = mul nuw nsw i64 %144, %139
  %146 = add nuw nsw i64 %145, 2
  br label %147

147:
  %148 = phi i64 [ %156, %155 ], [ 0, %128 ]
  %149 = getelementptr inbounds nuw i64, ptr %18, i64 %148
  %150 = load i64, ptr %149, align 8
  %151 = getelementptr inbounds nuw i64, ptr %143, i64 %148
  %152 = load i64, ptr %151, align 8
  %153 = icmp ugt i64 %150, %152
  br i1 %153, label %154, label %155

154:
  store i64 %150, ptr %151, align 8
  br label %155

155:
  %156 = add nuw nsw i64 %148, 1
  %157 = icmp eq i64 %148, %146
  br i1 %157, label %158, label %147

158:
  %159 = getelementptr inbounds nuw i8, ptr %129, i64 128
  %160 = load ptr, ptr %159, align 8
  %161 = icmp eq ptr %160, null
  br i1 %161, label %182, label %162

162:
  %163 = shl nuw nsw i64 %134, 3
  %164 = or disjoint i64 %163, 4
  %165 = mul i64 %164, %139
  %166 = getelementptr inbounds nuw i64, ptr %160, i64 %165
  %167 = mul nuw nsw i64 %139, 56
  %168 = getelementptr inbounds nuw i8, ptr %82, i64 %167
  %169 = shl nuw nsw i64 %139, 2
  %170 = icmp eq i32 %138, 0
  br i1 %170, label %182, label %171

171:
  %172 = phi i64 [ %180, %179 ], [ 0, %162 ]
  %173 = getelementptr inbounds nuw i64, ptr %168, i64 %172
  %174 = load i64, ptr %173, align 8
  %175 = getelementptr inbounds nuw i64, ptr %166, i64 %172
  %176 = load i64, ptr %175, align 8
  %177 = icmp ugt i64 %174, %176
  br i1 %177, label %178, label %179

178:
  store i64 %174, ptr %175, align 8
  br label %179

179:
  %180 = add nuw nsw i64 %172, 1
  %181 = icmp eq i64 %180, %169
  br i1 %181, label %182, label %171

182:
  store i32 0, ptr %121, align 4
  %183 = getelementptr inbounds nuw i8, ptr %115, i64 244
  store i32 0, ptr %183, align 4
  %184 = getelementptr inbounds nuw i8, ptr %115, i64 1528
  %185 = load i32, ptr %184, align 8
  %186 = icmp eq i32 %185, 0
  br i1 %186, label %187, label %192

187:
  store i32 1, ptr %184, align 8
  %188 = getelementptr inbounds nuw i8, ptr %115, i64 32
  %189 = load i64, ptr %188, align 8
  %190 = trunc i64 %189 to i32
  %191 = getelementptr inbounds nuw i8, ptr %115, i64 1532
  store i32 %190, ptr %191, align 4
  br label %192

192:
  %193 = getelementptr inbounds nuw i8, ptr %115, i64 1560
  br label %194

194:
  %195 = phi i64 [ 0, %192 ], [ %207, %206 ]
  %196 = getelementptr inbounds nuw %struct.Lanes, ptr %193, i64 %195
  %197 = getelementptr inbounds nuw i8, ptr %196, i64 8
  %198 = load i32, ptr %197, align 8
  %199 = icmp eq i32 %198, 3
  br i1 %199, label %200, label %206

200:
  %201 = getelementptr inbounds nuw i8, ptr %196, i64 12
  %202 = load i32, ptr %201, align 4
  %203 = and i32 %202, 31
  %204 = icmp eq i32 %203, %1
  br i1 %204, label %205, label %206

205:
  store i32 1, ptr %197, align 8
  br label %206

206:
  %207 = add nuw nsw i64 %195, 1
  %208 = icmp eq i64 %207, 32
  br i1 %208, label %209, label %194

209:
  %210 = tail call i32 @choose(ptr noundef nonnull %115, ptr noundef nonnull %184)
  %211 = load ptr, ptr %0, align 8
  %212 = load i32, ptr %76, align 4
  br label %213

213:
  %214 = phi i32 [ %106, %105 ], [ %106, %120 ], [ %106, %124 ], [ %212, %209 ]
  %215 = phi ptr [ %107, %105 ], [ %107, %120 ], [ %107, %124 ], [ %211, %209 ]
  %216 = add nuw i32 %108, 1
  %217 = icmp ult i32 %216, %214
  br i1 %217, label %105, label %83
}

define range(i32 0, 9) i32 @lm_ptx_barrier(ptr noundef captures(address) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %6 = load i32, ptr %5, align 8
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %13

8:
  store i32 1, ptr %5, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %10 = load i64, ptr %9, align 8
  %11 = trunc i64 %10 to i32
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %11, ptr %12, align 4
  br label %13

13:
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %15 = load i64, ptr %14, align 8
  %16 = trunc i64 %15 to i32
  %17 = and i32 %2, 15
  %18 = shl i32 %3, 5
  %19 = or disjoint i32 %18, %17
  %20 = icmp eq i32 %16, 0
  br i1 %20, label %54, label %21

21:
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 1560
  br label %23

23:
  %24 = phi i64 [ 0, %21 ], [ %41, %39 ]
  %25 = phi ptr [ null, %21 ], [ %40, %39 ]
  %26 = getelementptr inbounds nuw %struct.Lanes, ptr %22, i64 %24
  %27 = getelementptr inbounds nuw i8, ptr %26, i64 8
  %28 = load i32, ptr %27, align 4
  switch i32 %28, label %39 [
    i32 0, label %29
    i32 3, label %32
  ]

29:
  %30 = icmp eq ptr %25, null
  %31 = select i1 %30, ptr %26, ptr %25
  br label %39

32:
  %33 = load i32, ptr %26, align 4
  %34 = icmp eq i32 %33, %1
  br i1 %34, label %35, label %39

35:
  %36 = getelementptr inbounds nuw i8, ptr %26, i64 12
  %37 = load i32, ptr %36, align 4
  %38 = icmp eq i32 %37, %19
  br i1 %38, label %43, label %39

39:
  %40 = phi ptr [ %31, %29 ], [ %25, %23 ], [ %25, %32 ], [ %25, %35 ]
  %41 = add nuw nsw i64 %24, 1
  %42 = icmp eq i64 %41, 32
  br i1 %42, label %47, label %23

43:
  %44 = getelementptr inbounds nuw i8, ptr %26, i64 4
  %45 = load i32, ptr %44, align 4
  %46 = or i32 %45, %16
  store i32 %46, ptr %44, align 4
  br label %54

47:
  store i32 %1, ptr %40, align 4
  %48 = getelementptr inbounds nuw i8, ptr %40, i64 4
  store i32 %16, ptr %48, align 4
  %49 = getelementptr inbounds nuw i8, ptr %40, i64 8
  store i32 3, ptr %49, align 4
  %50 = getelementptr inbounds nuw i8, ptr %40, i64 12
  store i32 %19, ptr %50, align 4
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 1536
  %52 = load i32, ptr %51, align 8
  %53 = add i32 %52, 1
  store i32 %53, ptr %51, align 8
  br label %54

54:
  %55 = tail call i32 @choose(ptr noundef nonnull %0, ptr noundef nonnull %5)
  ret i32 %55
}

define void @lm_ptx_arrive(ptr noundef readonly captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = and i32 %1, 15
  %5 = tail call fastcc i32 @come(ptr noundef %0, i32 noundef %4, i32 noundef %2)
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %10, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load ptr, ptr %8, align 8
  tail call fastcc void @complete(ptr noundef %9, i32 noundef %4, ptr noundef null)
  br label %10

10:
  ret void
}

define void @lm_ptx_contribute(ptr noundef readonly captures(none) %0, i32 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %7 = load i64, ptr %6, align 8
  %8 = and i64 %7, %2
  %9 = trunc i64 %8 to i32
  br label %29

10:
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 144
  %12 = and i32 %1, 15
  %13 = zext nneg i32 %12 to i64
  %14 = getelementptr inbounds nuw %struct.Barrier, ptr %11, i64 %13
  %15 = trunc i64 %7 to i32
  %16 = getelementptr inbounds nuw i8, ptr %14, i64 12
  %17 = load i32, ptr %16, align 4
  %18 = add i32 %17, %34
  store i32 %18, ptr %16, align 4
  %19 = icmp ne i32 %9, %15
  %20 = zext i1 %19 to i32
  %21 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %22 = load i32, ptr %21, align 4
  %23 = or i32 %22, %20
  store i32 %23, ptr %21, align 4
  %24 = icmp ne i32 %9, 0
  %25 = zext i1 %24 to i32
  %26 = getelementptr inbounds nuw i8, ptr %14, i64 20
  %27 = load i32, ptr %26, align 4
  %28 = or i32 %27, %25
  store i32 %28, ptr %26, align 4
  ret void

29:
  %30 = phi i32 [ 0, %3 ], [ %35, %29 ]
  %31 = phi i32 [ 0, %3 ], [ %34, %29 ]
  %32 = lshr i32 %9, %30
  %33 = and i32 %32, 1
  %34 = add i32 %33, %31
  %35 = add nuw nsw i32 %30, 1
  %36 = icmp eq i32 %35, 32
  br i1 %36, label %10, label %29
}

define i32 @lm_ptx_reduced(ptr noundef readonly captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 144
  %7 = shl i32 %1, 1
  %8 = and i32 %7, 30
  %9 = zext nneg i32 %8 to i64
  %10 = getelementptr inbounds nuw i64, ptr %6, i64 %9
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 480
  %12 = load i64, ptr %11, align 8
  switch i32 %2, label %18 [
    i32 0, label %13
    i32 1, label %15
  ]

13:
  %14 = trunc i64 %12 to i32
  br label %22

15:
  %16 = icmp ult i64 %12, 4294967296
  %17 = zext i1 %16 to i32
  br label %22

18:
  %19 = getelementptr inbounds nuw i8, ptr %10, i64 488
  %20 = load i64, ptr %19, align 8
  %21 = trunc i64 %20 to i32
  br label %22

22:
  %23 = phi i32 [ %14, %13 ], [ %17, %15 ], [ %21, %18 ]
  ret i32 %23
}

define void @lm_ptx_cluster_arrive(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 16
  %5 = alloca ptr, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %7 = load i32, ptr %6, align 8
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %9, label %14

9:
  store i32 1, ptr %6, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %11 = load i64, ptr %10, align 8
  %12 = trunc i64 %11 to i32
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %12, ptr %13, align 4
  br label %14

14:
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %16 = load i64, ptr %15, align 8
  %17 = trunc i64 %16 to i32
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 2076
  %19 = load i32, ptr %18, align 4
  %20 = and i32 %19, %17
  %21 = zext i32 %20 to i64
  tail call void @lm_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %21, i32 noundef 6, i64 noundef 0)
  %22 = load ptr, ptr %0, align 8
  %23 = getelementptr inbounds nuw i8, ptr %22, i64 216
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 2080
  store i64 %24, ptr %25, align 8
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 2072
  %27 = load i32, ptr %26, align 8
  %28 = or i32 %27, %17
  store i32 %28, ptr %26, align 8
  %29 = load i32, ptr %18, align 4
  %30 = or i32 %29, %17
  store i32 %30, ptr %18, align 4
  %31 = icmp eq i32 %2, 0
  br i1 %31, label %109, label %32

32:
  %33 = getelementptr inbounds nuw i8, ptr %22, i64 200
  %34 = load ptr, ptr %33, align 8
  %35 = getelementptr inbounds nuw i8, ptr %22, i64 120
  %36 = load ptr, ptr %35, align 8
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %38 = load i32, ptr %37, align 4
  %39 = zext i32 %38 to i64
  %40 = getelementptr inbounds nuw i8, ptr %22, i64 112
  %41 = load i64, ptr %40, align 8
  %42 = getelementptr inbounds nuw i8, ptr %22, i64 8
  %43 = load i32, ptr %42, align 8
  %44 = zext i32 %43 to i64
  %45 = mul i64 %41, %44
  %46 = add i64 %45, 3
  %47 = mul i64 %46, %39
  %48 = getelementptr inbounds nuw i64, ptr %36, i64 %47
  %49 = tail call i64 @llvm.umin.i64(i64 %41, i64 7)
  %50 = mul nuw nsw i64 %49, %44
  %51 = add nuw nsw i64 %50, 2
  br label %52

52:
  %53 = phi i64 [ %61, %60 ], [ 0, %32 ]
  %54 = getelementptr inbounds nuw i64, ptr %48, i64 %53
  %55 = load i64, ptr %54, align 8
  %56 = getelementptr inbounds nuw i64, ptr %34, i64 %53
  %57 = load i64, ptr %56, align 8
  %58 = icmp ugt i64 %55, %57
  br i1 %58, label %59, label %60

59:
  store i64 %55, ptr %56, align 8
  br label %60

60:
  %61 = add nuw nsw i64 %53, 1
  %62 = icmp eq i64 %53, %51
  br i1 %62, label %63, label %52

63:
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %65 = load ptr, ptr %64, align 8
  %66 = getelementptr inbounds nuw i8, ptr %65, i64 144
  %67 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %68 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %69 = getelementptr inbounds nuw i8, ptr %34, i64 24
  %70 = getelementptr inbounds nuw i64, ptr %69, i64 %39
  br label %94

71:
  %72 = getelementptr inbounds nuw i8, ptr %22, i64 128
  %73 = load ptr, ptr %72, align 8
  %74 = icmp eq ptr %73, null
  br i1 %74, label %158, label %75

75:
  %76 = mul nuw nsw i64 %44, 56
  %77 = getelementptr inbounds nuw i8, ptr %69, i64 %76
  %78 = shl nuw nsw i64 %39, 3
  %79 = mul i64 %78, %44
  %80 = getelementptr inbounds nuw i64, ptr %73, i64 %79
  %81 = shl nuw nsw i64 %44, 2
  %82 = icmp eq i32 %43, 0
  br i1 %82, label %158, label %83

83:
  %84 = phi i64 [ %92, %91 ], [ 0, %75 ]
  %85 = getelementptr inbounds nuw i64, ptr %80, i64 %84
  %86 = load i64, ptr %85, align 8
  %87 = getelementptr inbounds nuw i64, ptr %77, i64 %84
  %88 = load i64, ptr %87, align 8
  %89 = icmp ugt i64 %86, %88
  br i1 %89, label %90, label %91

90:
  store i64 %86, ptr %87, align 8
  br label %91

91:
  %92 = add nuw nsw i64 %84, 1
  %93 = icmp eq i64 %92, %81
  br i1 %93, label %158, label %83

94:
  %95 = phi i1 [ true, %63 ], [ false, %108 ]
  %96 = phi i64 [ 0, %63 ], [ 1, %108 ]
  %97 = load i64, ptr %66, align 8
  %98 = icmp ne i64 %97, 0
  %99 = or i1 %95, %98
  %100 = getelementptr inbounds nuw i64, ptr %67, i64 %96
  %101 = select i1 %99, ptr %100, ptr %68
  %102 = load i64, ptr %101, align 8
  %103 = mul nuw nsw i64 %96, %44
  %104 = getelementptr inbounds nuw i64, ptr %70, i64 %103
  %105 = load i64, ptr %104, align 8
  %106 = icmp ugt i64 %102, %105
  br i1 %106, label %107, label %108

107:
  store i64 %102, ptr %104, align 8
  br label %108

108:
  br i1 %95, label %94, label %71

109:
  %110 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %111 = load ptr, ptr %110, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %4)
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  %112 = getelementptr inbounds nuw i8, ptr %111, i64 128
  %113 = load ptr, ptr %112, align 8
  store ptr %113, ptr %4, align 16
  %114 = getelementptr inbounds nuw i8, ptr %22, i64 12
  %115 = load i32, ptr %114, align 4
  %116 = icmp ugt i32 %115, 1
  %117 = getelementptr inbounds nuw i8, ptr %22, i64 192
  %118 = select i1 %116, ptr %117, ptr %112
  %119 = load ptr, ptr %118, align 8
  store ptr %119, ptr %5, align 8
  %120 = getelementptr inbounds nuw i8, ptr %22, i64 112
  %121 = getelementptr inbounds nuw i8, ptr %22, i64 8
  %122 = load i32, ptr %121, align 8
  %123 = zext i32 %122 to i64
  %124 = getelementptr inbounds nuw i8, ptr %22, i64 200
  %125 = load i64, ptr %120, align 8
  br label %126

126:
  %127 = phi i64 [ %125, %109 ], [ %137, %136 ]
  %128 = phi i64 [ %125, %109 ], [ %138, %136 ]
  %129 = phi i1 [ true, %109 ], [ false, %136 ]
  %130 = phi ptr [ %4, %109 ], [ %5, %136 ]
  %131 = mul i64 %128, %123
  %132 = icmp eq i64 %131, -3
  br i1 %132, label %136, label %133

133:
  %134 = load ptr, ptr %130, align 8
  %135 = load ptr, ptr %124, align 8
  br label %139

136:
  %137 = phi i64 [ %127, %126 ], [ %151, %150 ]
  %138 = phi i64 [ %128, %126 ], [ %151, %150 ]
  br i1 %129, label %126, label %157

139:
  %140 = phi i64 [ %127, %133 ], [ %151, %150 ]
  %141 = phi i64 [ 0, %133 ], [ %153, %150 ]
  %142 = phi i32 [ 0, %133 ], [ %152, %150 ]
  %143 = getelementptr inbounds nuw i64, ptr %134, i64 %141
  %144 = load i64, ptr %143, align 8
  %145 = getelementptr inbounds nuw i64, ptr %135, i64 %141
  %146 = load i64, ptr %145, align 8
  %147 = icmp ugt i64 %144, %146
  br i1 %147, label %148, label %150

148:
  store i64 %144, ptr %145, align 8
  %149 = load i64, ptr %120, align 8
  br label %150

150:
  %151 = phi i64 [ %140, %139 ], [ %149, %148 ]
  %152 = add i32 %142, 1
  %153 = zext i32 %152 to i64
  %154 = mul i64 %151, %123
  %155 = add i64 %154, 3
  %156 = icmp ugt i64 %155, %153
  br i1 %156, label %139, label %136

157:
  call void @llvm.lifetime.end.p0(ptr nonnull %4)
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  br label %158

158:
  tail call fastcc void @meet(ptr noundef %22)
  ret void
}

define internal fastcc void @meet(ptr noundef captures(none) %0) unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load i32, ptr %2, align 8
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %177, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = zext i32 %3 to i64
  br label %9

9:
  %10 = phi i64 [ 0, %5 ], [ %40, %37 ]
  %11 = phi i32 [ 0, %5 ], [ %39, %37 ]
  %12 = getelementptr inbounds nuw ptr, ptr %7, i64 %10
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 1528
  %15 = load i32, ptr %14, align 8
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %17, label %22

17:
  store i32 1, ptr %14, align 8
  %18 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %19 = load i64, ptr %18, align 8
  %20 = trunc i64 %19 to i32
  %21 = getelementptr inbounds nuw i8, ptr %13, i64 1532
  store i32 %20, ptr %21, align 4
  br label %22

22:
  %23 = getelementptr inbounds nuw i8, ptr %13, i64 164
  %24 = load i32, ptr %23, align 4
  %25 = icmp eq i32 %24, 1
  br i1 %25, label %26, label %29

26:
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 2072
  %28 = load i32, ptr %27, align 8
  br label %37

29:
  %30 = getelementptr inbounds nuw i8, ptr %13, i64 1532
  %31 = load i32, ptr %30, align 4
  %32 = getelementptr inbounds nuw i8, ptr %13, i64 2072
  %33 = load i32, ptr %32, align 8
  %34 = xor i32 %33, -1
  %35 = and i32 %31, %34
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %37, label %177

37:
  %38 = phi i32 [ %28, %26 ], [ %33, %29 ]
  %39 = or i32 %38, %11
  %40 = add nuw nsw i64 %10, 1
  %41 = icmp eq i64 %40, %8
  br i1 %41, label %42, label %9

42:
  %43 = icmp eq i32 %39, 0
  br i1 %43, label %177, label %44

44:
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %46 = load ptr, ptr %45, align 8
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %48 = load ptr, ptr %47, align 8
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %50 = load i64, ptr %49, align 8
  %51 = zext i32 %3 to i64
  %52 = shl nuw nsw i64 %51, 3
  %53 = mul i64 %52, %50
  %54 = add i64 %53, 24
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %46, ptr readonly align 1 %48, i64 %54, i1 false)
  %55 = load ptr, ptr %47, align 8
  %56 = load i64, ptr %49, align 8
  %57 = load i32, ptr %2, align 8
  %58 = zext i32 %57 to i64
  %59 = shl i64 %56, 3
  %60 = mul i64 %59, %58
  %61 = add i64 %60, 24
  tail call void @llvm.memset.p0.i64(ptr align 1 %55, i8 0, i64 %61, i1 false)
  %62 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %63 = load i64, ptr %62, align 8
  %64 = add i64 %63, 1
  store i64 %64, ptr %62, align 8
  %65 = load i32, ptr %2, align 8
  %66 = icmp eq i32 %65, 0
  br i1 %66, label %177, label %67

67:
  %68 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %69

69:
  %70 = phi i32 [ %65, %67 ], [ %173, %172 ]
  %71 = phi i64 [ 0, %67 ], [ %174, %172 ]
  %72 = load ptr, ptr %68, align 8
  %73 = getelementptr inbounds nuw ptr, ptr %72, i64 %71
  %74 = load ptr, ptr %73, align 8
  %75 = getelementptr inbounds nuw i8, ptr %74, i64 1528
  %76 = load i32, ptr %75, align 8
  %77 = icmp eq i32 %76, 0
  br i1 %77, label %78, label %83

78:
  store i32 1, ptr %75, align 8
  %79 = getelementptr inbounds nuw i8, ptr %74, i64 32
  %80 = load i64, ptr %79, align 8
  %81 = trunc i64 %80 to i32
  %82 = getelementptr inbounds nuw i8, ptr %74, i64 1532
  store i32 %81, ptr %82, align 4
  br label %83

83:
  %84 = getelementptr inbounds nuw i8, ptr %74, i64 2072
  store i32 0, ptr %84, align 8
  %85 = getelementptr inbounds nuw i8, ptr %74, i64 164
  %86 = load i32, ptr %85, align 4
  %87 = icmp eq i32 %86, 2
  br i1 %87, label %88, label %172

88:
  %89 = getelementptr inbounds nuw i8, ptr %74, i64 244
  %90 = load i32, ptr %89, align 4
  %91 = icmp eq i32 %90, 0
  br i1 %91, label %172, label %92

92:
  %93 = getelementptr inbounds nuw i8, ptr %74, i64 196
  %94 = load i32, ptr %93, align 4
  %95 = icmp eq i32 %94, 16
  br i1 %95, label %96, label %172

96:
  %97 = load ptr, ptr %45, align 8
  %98 = load ptr, ptr %74, align 8
  %99 = getelementptr inbounds nuw i8, ptr %98, i64 120
  %100 = load ptr, ptr %99, align 8
  %101 = getelementptr inbounds nuw i8, ptr %74, i64 28
  %102 = load i32, ptr %101, align 4
  %103 = zext i32 %102 to i64
  %104 = getelementptr inbounds nuw i8, ptr %98, i64 112
  %105 = load i64, ptr %104, align 8
  %106 = getelementptr inbounds nuw i8, ptr %98, i64 8
  %107 = load i32, ptr %106, align 8
  %108 = zext i32 %107 to i64
  %109 = mul i64 %105, %108
  %110 = add i64 %109, 3
  %111 = mul i64 %110, %103
  %112 = getelementptr inbounds nuw i64, ptr %100, i64 %111
  %113 = tail call i64 @llvm.umin.i64(i64 %105, i64 7)
  %114 = mul nuw nsw i64 %113, %108
  %115 = add nuw nsw i64 %114, 2
  br label %116

116:
  %117 = phi i64 [ %125, %124 ], [ 0, %96 ]
  %118 = getelementptr inbounds nuw i64, ptr %97, i64 %117
  %119 = load i64, ptr %118, align 8
  %120 = getelementptr inbounds nuw i64, ptr %112, i64 %117
  %121 = load i64, ptr %120, align 8
  %122 = icmp ugt i64 %119, %121
  br i1 %122, label %123, label %124

123:
  store i64 %119, ptr %120, align 8
  br label %124

124:
  %125 = add nuw nsw i64 %117, 1
  %126 = icmp eq i64 %117, %115
  br i1 %126, label %127, label %116

127:
  %128 = getelementptr inbounds nuw i8, ptr %98, i64 128
  %129 = load ptr, ptr %128, align 8
  %130 = icmp eq ptr %129, null
  br i1 %130, label %152, label %131

131:
  %132 = shl nuw nsw i64 %103, 3
  %133 = or disjoint i64 %132, 4
  %134 = mul i64 %133, %108
  %135 = getelementptr inbounds nuw i64, ptr %129, i64 %134
  %136 = getelementptr inbounds nuw i8, ptr %97, i64 24
  %137 = mul nuw nsw i64 %108, 56
  %138 = getelementptr inbounds nuw i8, ptr %136, i64 %137
  %139 = shl nuw nsw i64 %108, 2
  %140 = icmp eq i32 %107, 0
  br i1 %140, label %152, label %141

141:
  %142 = phi i64 [ %150, %149 ], [ 0, %131 ]
  %143 = getelementptr inbounds nuw i64, ptr %138, i64 %142
  %144 = load i64, ptr %143, align 8
  %145 = getelementptr inbounds nuw i64, ptr %135, i64 %142
  %146 = load i64, ptr %145, align 8
  %147 = icmp ugt i64 %144, %146
  br i1 %147, label %148, label %149

148:
  store i64 %144, ptr %145, align 8
  br label %149

149:
  %150 = add nuw nsw i64 %142, 1
  %151 = icmp eq i64 %150, %139
  br i1 %151, label %152, label %141

152:
  store i32 0, ptr %85, align 4
  store i32 0, ptr %89, align 4
  %153 = getelementptr inbounds nuw i8, ptr %74, i64 1560
  br label %154

154:
  %155 = phi i64 [ 0, %152 ], [ %167, %166 ]
  %156 = getelementptr inbounds nuw %struct.Lanes, ptr %153, i64 %155
  %157 = getelementptr inbounds nuw i8, ptr %156, i64 8
  %158 = load i32, ptr %157, align 8
  %159 = icmp eq i32 %158, 3
  br i1 %159, label %160, label %166

160:
  %161 = getelementptr inbounds nuw i8, ptr %156, i64 12
  %162 = load i32, ptr %161, align 4
  %163 = and i32 %162, 31
  %164 = icmp eq i32 %163, 16
  br i1 %164, label %165, label %166

165:
  store i32 1, ptr %157, align 8
  br label %166

166:
  %167 = add nuw nsw i64 %155, 1
  %168 = icmp eq i64 %167, 32
  br i1 %168, label %169, label %154

169:
  %170 = tail call i32 @choose(ptr noundef nonnull %74, ptr noundef nonnull %75)
  %171 = load i32, ptr %2, align 8
  br label %172

172:
  %173 = phi i32 [ %70, %83 ], [ %70, %88 ], [ %70, %92 ], [ %171, %169 ]
  %174 = add nuw nsw i64 %71, 1
  %175 = zext i32 %173 to i64
  %176 = icmp samesign ult i64 %174, %175
  br i1 %176, label %69, label %177

177:
  ret void
}

define range(i32 0, 9) i32 @lm_ptx_cluster_wait(ptr noundef captures(address) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %12

7:
  store i32 1, ptr %4, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %9 = load i64, ptr %8, align 8
  %10 = trunc i64 %9 to i32
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %10, ptr %11, align 4
  br label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %14 = load i64, ptr %13, align 8
  %15 = trunc i64 %14 to i32
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 2076
  %17 = load i32, ptr %16, align 4
  %18 = xor i32 %17, -1
  %19 = and i32 %15, %18
  %20 = zext i32 %19 to i64
  tail call void @lm_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %20, i32 noundef 7, i64 noundef 0)
  %21 = xor i32 %15, -1
  %22 = load i32, ptr %16, align 4
  %23 = and i32 %22, %21
  store i32 %23, ptr %16, align 4
  %24 = load ptr, ptr %0, align 8
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 216
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 2080
  %28 = load i64, ptr %27, align 8
  %29 = icmp eq i64 %26, %28
  br i1 %29, label %105, label %30

30:
  %31 = getelementptr inbounds nuw i8, ptr %24, i64 208
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %24, i64 120
  %34 = load ptr, ptr %33, align 8
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %36 = load i32, ptr %35, align 4
  %37 = zext i32 %36 to i64
  %38 = getelementptr inbounds nuw i8, ptr %24, i64 112
  %39 = load i64, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %41 = load i32, ptr %40, align 8
  %42 = zext i32 %41 to i64
  %43 = mul i64 %39, %42
  %44 = add i64 %43, 3
  %45 = mul i64 %44, %37
  %46 = getelementptr inbounds nuw i64, ptr %34, i64 %45
  %47 = tail call i64 @llvm.umin.i64(i64 %39, i64 7)
  %48 = mul nuw nsw i64 %47, %42
  %49 = add nuw nsw i64 %48, 2
  br label %50

50:
  %51 = phi i64 [ %59, %58 ], [ 0, %30 ]
  %52 = getelementptr inbounds nuw i64, ptr %32, i64 %51
  %53 = load i64, ptr %52, align 8
  %54 = getelementptr inbounds nuw i64, ptr %46, i64 %51
  %55 = load i64, ptr %54, align 8
  %56 = icmp ugt i64 %53, %55
  br i1 %56, label %57, label %58

57:
  store i64 %53, ptr %54, align 8
  br label %58

58:
  %59 = add nuw nsw i64 %51, 1
  %60 = icmp eq i64 %51, %49
  br i1 %60, label %61, label %50

61:
  %62 = getelementptr inbounds nuw i8, ptr %24, i64 128
  %63 = load ptr, ptr %62, align 8
  %64 = icmp eq ptr %63, null
  br i1 %64, label %86, label %65

65:
  %66 = shl nuw nsw i64 %37, 3
  %67 = or disjoint i64 %66, 4
  %68 = mul i64 %67, %42
  %69 = getelementptr inbounds nuw i64, ptr %63, i64 %68
  %70 = getelementptr inbounds nuw i8, ptr %32, i64 24
  %71 = mul nuw nsw i64 %42, 56
  %72 = getelementptr inbounds nuw i8, ptr %70, i64 %71
  %73 = shl nuw nsw i64 %42, 2
  %74 = icmp eq i32 %41, 0
  br i1 %74, label %86, label %75

75:
  %76 = phi i64 [ %84, %83 ], [ 0, %65 ]
  %77 = getelementptr inbounds nuw i64, ptr %72, i64 %76
  %78 = load i64, ptr %77, align 8
  %79 = getelementptr inbounds nuw i64, ptr %69, i64 %76
  %80 = load i64, ptr %79, align 8
  %81 = icmp ugt i64 %78, %80
  br i1 %81, label %82, label %83

82:
  store i64 %78, ptr %79, align 8
  br label %83

83:
  %84 = add nuw nsw i64 %76, 1
  %85 = icmp eq i64 %84, %73
  br i1 %85, label %86, label %75

86:
  %87 = getelementptr inbounds nuw i8, ptr %0, i64 1560
  br label %88

88:
  %89 = phi i64 [ 0, %86 ], [ %101, %100 ]
  %90 = getelementptr inbounds nuw %struct.Lanes, ptr %87, i64 %89
  %91 = getelementptr inbounds nuw i8, ptr %90, i64 8
  %92 = load i32, ptr %91, align 8
  %93 = icmp eq i32 %92, 3
  br i1 %93, label %94, label %100

94:
  %95 = getelementptr inbounds nuw i8, ptr %90, i64 12
  %96 = load i32, ptr %95, align 4
  %97 = and i32 %96, 31
  %98 = icmp eq i32 %97, 16
  br i1 %98, label %99, label %100

99:
  store i32 1, ptr %91, align 8
  br label %100

100:
  %101 = add nuw nsw i64 %89, 1
  %102 = icmp eq i64 %101, 32
  br i1 %102, label %103, label %88

103:
  %104 = tail call i32 @go(ptr noundef nonnull %0, ptr noundef nonnull %4, i32 noundef %2, i32 noundef 0)
  br label %142

105:
  %106 = icmp eq i32 %15, 0
  br i1 %106, label %140, label %107

107:
  %108 = getelementptr inbounds nuw i8, ptr %0, i64 1560
  br label %109

109:
  %110 = phi i64 [ 0, %107 ], [ %127, %125 ]
  %111 = phi ptr [ null, %107 ], [ %126, %125 ]
  %112 = getelementptr inbounds nuw %struct.Lanes, ptr %108, i64 %110
  %113 = getelementptr inbounds nuw i8, ptr %112, i64 8
  %114 = load i32, ptr %113, align 4
  switch i32 %114, label %125 [
    i32 0, label %115
    i32 3, label %118
  ]

115:
  %116 = icmp eq ptr %111, null
  %117 = select i1 %116, ptr %112, ptr %111
  br label %125

118:
  %119 = load i32, ptr %112, align 4
  %120 = icmp eq i32 %119, %2
  br i1 %120, label %121, label %125

121:
  %122 = getelementptr inbounds nuw i8, ptr %112, i64 12
  %123 = load i32, ptr %122, align 4
  %124 = icmp eq i32 %123, 16
  br i1 %124, label %129, label %125

125:
  %126 = phi ptr [ %117, %115 ], [ %111, %109 ], [ %111, %118 ], [ %111, %121 ]
  %127 = add nuw nsw i64 %110, 1
  %128 = icmp eq i64 %127, 32
  br i1 %128, label %133, label %109

129:
  %130 = getelementptr inbounds nuw i8, ptr %112, i64 4
  %131 = load i32, ptr %130, align 4
  %132 = or i32 %131, %15
  store i32 %132, ptr %130, align 4
  br label %140

133:
  store i32 %2, ptr %126, align 4
  %134 = getelementptr inbounds nuw i8, ptr %126, i64 4
  store i32 %15, ptr %134, align 4
  %135 = getelementptr inbounds nuw i8, ptr %126, i64 8
  store i32 3, ptr %135, align 4
  %136 = getelementptr inbounds nuw i8, ptr %126, i64 12
  store i32 16, ptr %136, align 4
  %137 = getelementptr inbounds nuw i8, ptr %0, i64 1536
  %138 = load i32, ptr %137, align 8
  %139 = add i32 %138, 1
  store i32 %139, ptr %137, align 8
  br label %140

140:
  %141 = tail call i32 @choose(ptr noundef nonnull %0, ptr noundef nonnull %4)
  br label %142

142:
  %143 = phi i32 [ %104, %103 ], [ %141, %140 ]
  ret i32 %143
}

define range(i32 0, 9) i32 @go(ptr noundef captures(address_is_null) initializes((160, 164)) %0, ptr noundef captures(address) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 160
  store i32 %2, ptr %5, align 8
  %6 = icmp eq i32 %3, 0
  br i1 %6, label %19, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %9 = load i32, ptr %8, align 4
  %10 = add i32 %9, 1
  store i32 %10, ptr %8, align 4
  %11 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %12 = load i32, ptr %11, align 8
  %13 = icmp eq i32 %12, 0
  %14 = select i1 %13, i32 4096, i32 8
  %15 = icmp ult i32 %10, %14
  br i1 %15, label %19, label %16

16:
  %17 = zext i1 %13 to i32
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 188
  store i32 %17, ptr %18, align 4
  store i32 0, ptr %11, align 8
  store i32 0, ptr %8, align 4
  br label %19

19:
  %20 = phi i32 [ 3, %16 ], [ 0, %7 ], [ 0, %4 ]
  %21 = phi i1 [ false, %16 ], [ true, %7 ], [ true, %4 ]
  %22 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %23 = load i32, ptr %22, align 8
  %24 = icmp eq i32 %23, 0
  br i1 %24, label %127, label %25

25:
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %27 = load i64, ptr %26, align 8
  %28 = trunc i64 %27 to i32
  %29 = icmp eq i32 %28, 0
  br i1 %29, label %62, label %30

30:
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 32
  br label %32

32:
  %33 = phi i64 [ 0, %30 ], [ %50, %48 ]
  %34 = phi ptr [ null, %30 ], [ %49, %48 ]
  %35 = getelementptr inbounds nuw %struct.Lanes, ptr %31, i64 %33
  %36 = getelementptr inbounds nuw i8, ptr %35, i64 8
  %37 = load i32, ptr %36, align 4
  switch i32 %37, label %48 [
    i32 0, label %38
    i32 1, label %41
  ]

38:
  %39 = icmp eq ptr %34, null
  %40 = select i1 %39, ptr %35, ptr %34
  br label %48

41:
  %42 = load i32, ptr %35, align 4
  %43 = icmp eq i32 %42, %2
  br i1 %43, label %44, label %48

44:
  %45 = getelementptr inbounds nuw i8, ptr %35, i64 12
  %46 = load i32, ptr %45, align 4
  %47 = icmp eq i32 %46, 0
  br i1 %47, label %52, label %48

48:
  %49 = phi ptr [ %40, %38 ], [ %34, %32 ], [ %34, %41 ], [ %34, %44 ]
  %50 = add nuw nsw i64 %33, 1
  %51 = icmp eq i64 %50, 32
  br i1 %51, label %56, label %32

52:
  %53 = getelementptr inbounds nuw i8, ptr %35, i64 4
  %54 = load i32, ptr %53, align 4
  %55 = or i32 %54, %28
  store i32 %55, ptr %53, align 4
  br label %62

56:
  store i32 %2, ptr %49, align 4
  %57 = getelementptr inbounds nuw i8, ptr %49, i64 4
  store i32 %28, ptr %57, align 4
  %58 = getelementptr inbounds nuw i8, ptr %49, i64 8
  store i32 1, ptr %58, align 4
  %59 = getelementptr inbounds nuw i8, ptr %49, i64 12
  store i32 0, ptr %59, align 4
  %60 = load i32, ptr %22, align 8
  %61 = add i32 %60, 1
  store i32 %61, ptr %22, align 8
  br label %62

62:
  %63 = phi i32 [ %23, %25 ], [ %23, %52 ], [ %61, %56 ]
  br i1 %21, label %100, label %64

64:
  %65 = getelementptr inbounds nuw i8, ptr %1, i64 12
  store i32 0, ptr %65, align 4
  %66 = getelementptr inbounds nuw i8, ptr %1, i64 16
  store i32 512, ptr %66, align 8
  %67 = getelementptr inbounds nuw i8, ptr %1, i64 20
  %68 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %69 = load i32, ptr %67, align 4
  br label %70

70:
  %71 = phi i32 [ 0, %64 ], [ %90, %89 ]
  %72 = phi i32 [ %69, %64 ], [ %74, %89 ]
  %73 = add i32 %72, 1
  %74 = and i32 %73, 31
  %75 = zext nneg i32 %74 to i64
  %76 = getelementptr inbounds nuw %struct.Lanes, ptr %68, i64 %75
  %77 = getelementptr inbounds nuw i8, ptr %76, i64 8
  %78 = load i32, ptr %77, align 4
  %79 = icmp eq i32 %78, 1
  br i1 %79, label %80, label %89

80:
  %81 = load i32, ptr %76, align 4
  %82 = load i32, ptr %5, align 8
  %83 = icmp eq i32 %81, %82
  %84 = getelementptr inbounds nuw i8, ptr %76, i64 4
  %85 = load i32, ptr %84, align 4
  %86 = zext i32 %85 to i64
  %87 = icmp eq i64 %27, %86
  %88 = select i1 %83, i1 %87, i1 false
  br i1 %88, label %89, label %92

89:
  %90 = add nuw nsw i32 %71, 1
  %91 = icmp eq i32 %90, 32
  br i1 %91, label %95, label %70

92:
  %93 = getelementptr inbounds nuw i8, ptr %76, i64 8
  store i32 %74, ptr %67, align 4
  store i64 %86, ptr %26, align 8
  store i32 %81, ptr %5, align 8
  store i32 0, ptr %93, align 4
  %94 = add i32 %63, -1
  store i32 %94, ptr %22, align 8
  br label %99

95:
  store i32 %74, ptr %67, align 4
  store i32 0, ptr %66, align 8
  %96 = tail call i32 @choose(ptr noundef %0, ptr noundef nonnull %1)
  %97 = freeze i32 %96
  %98 = icmp eq i32 %97, 0
  br i1 %98, label %99, label %127

99:
  br label %127

100:
  %101 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %102 = load i32, ptr %101, align 8
  %103 = icmp eq i32 %102, 0
  br i1 %103, label %125, label %104

104:
  %105 = add i32 %102, -1
  store i32 %105, ptr %101, align 8
  %106 = getelementptr inbounds nuw i8, ptr %1, i64 32
  br label %107

107:
  %108 = phi i64 [ 0, %104 ], [ %123, %122 ]
  %109 = getelementptr inbounds nuw %struct.Lanes, ptr %106, i64 %108
  %110 = getelementptr inbounds nuw i8, ptr %109, i64 8
  %111 = load i32, ptr %110, align 4
  %112 = icmp eq i32 %111, 1
  br i1 %112, label %113, label %122

113:
  %114 = load i32, ptr %109, align 4
  %115 = icmp eq i32 %114, %2
  br i1 %115, label %116, label %122

116:
  %117 = getelementptr inbounds nuw i8, ptr %109, i64 8
  %118 = getelementptr inbounds nuw i8, ptr %109, i64 4
  %119 = load i32, ptr %118, align 4
  %120 = zext i32 %119 to i64
  store i64 %120, ptr %26, align 8
  store i32 %2, ptr %5, align 8
  store i32 0, ptr %117, align 4
  %121 = add i32 %63, -1
  store i32 %121, ptr %22, align 8
  br label %127

122:
  %123 = add nuw nsw i64 %108, 1
  %124 = icmp eq i64 %123, 32
  br i1 %124, label %125, label %107

125:
  %126 = tail call i32 @choose(ptr noundef %0, ptr noundef nonnull %1)
  br label %127

127:
  %128 = phi i32 [ %20, %19 ], [ %126, %125 ], [ 0, %116 ], [ 3, %99 ], [ %97, %95 ]
  ret i32 %128
}

define void @lanes_ended(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 164
  %3 = load i32, ptr %2, align 4
  %4 = icmp eq i32 %3, 1
  br i1 %4, label %5, label %7

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %9

7:
  %8 = load ptr, ptr %0, align 8
  tail call fastcc void @meet(ptr noundef %8)
  ret void

9:
  %10 = phi i64 [ 0, %5 ], [ %54, %52 ]
  %11 = load ptr, ptr %6, align 8
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 144
  %13 = getelementptr inbounds nuw %struct.Barrier, ptr %12, i64 %10
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 4
  %15 = load i32, ptr %14, align 4
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %52, label %17

17:
  %18 = load i32, ptr %13, align 4
  %19 = icmp eq i32 %18, 0
  br i1 %19, label %20, label %52

20:
  %21 = getelementptr inbounds nuw i8, ptr %11, i64 12
  %22 = load i32, ptr %21, align 4
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %48, label %24

24:
  %25 = load ptr, ptr %11, align 8
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 16
  %27 = load ptr, ptr %26, align 8
  %28 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %29 = load i32, ptr %28, align 8
  %30 = zext i32 %22 to i64
  br label %31

31:
  %32 = phi i64 [ 0, %24 ], [ %44, %31 ]
  %33 = phi i32 [ 0, %24 ], [ %43, %31 ]
  %34 = trunc nuw i64 %32 to i32
  %35 = add i32 %29, %34
  %36 = zext i32 %35 to i64
  %37 = getelementptr inbounds nuw ptr, ptr %27, i64 %36
  %38 = load ptr, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 164
  %40 = load i32, ptr %39, align 4
  %41 = icmp eq i32 %40, 1
  %42 = add i32 %33, 32
  %43 = select i1 %41, i32 %33, i32 %42
  %44 = add nuw nsw i64 %32, 1
  %45 = icmp eq i64 %44, %30
  br i1 %45, label %46, label %31

46:
  %47 = icmp ult i32 %15, %43
  br i1 %47, label %52, label %48

48:
  %49 = trunc nuw nsw i64 %10 to i32
  tail call fastcc void @complete(ptr noundef nonnull %11, i32 noundef %49, ptr noundef null)
  %50 = load i32, ptr %2, align 4
  %51 = icmp eq i32 %50, 1
  br label %52

52:
  %53 = phi i1 [ %51, %48 ], [ true, %46 ], [ true, %17 ], [ true, %9 ]
  %54 = add nuw nsw i64 %10, 1
  %55 = icmp samesign ult i64 %10, 15
  %56 = select i1 %53, i1 %55, i1 false
  br i1 %56, label %9, label %7
}

define range(i32 0, 9) i32 @lm_ptx_switch(ptr noundef captures(address) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = alloca [32 x i32], align 16
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %9 = load i32, ptr %8, align 8
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %11, label %16

11:
  store i32 1, ptr %8, align 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %13 = load i64, ptr %12, align 8
  %14 = trunc i64 %13 to i32
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %14, ptr %15, align 4
  br label %16

16:
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 136
  %20 = load ptr, ptr %19, align 8
  %21 = zext i32 %3 to i64
  %22 = getelementptr inbounds nuw ptr, ptr %20, i64 %21
  %23 = load ptr, ptr %22, align 8
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %25 = load i64, ptr %24, align 8
  %26 = trunc i64 %25 to i32
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %28 = zext i32 %2 to i64
  %29 = getelementptr inbounds nuw [64 x i32], ptr %27, i64 %28
  br label %32

30:
  %31 = icmp eq i32 %55, 0
  br i1 %31, label %91, label %58

32:
  %33 = phi i64 [ 0, %16 ], [ %56, %54 ]
  %34 = phi i32 [ 0, %16 ], [ %55, %54 ]
  %35 = trunc nuw nsw i64 %33 to i32
  %36 = shl nuw i32 1, %35
  %37 = and i32 %36, %26
  %38 = icmp eq i32 %37, 0
  br i1 %38, label %54, label %39

39:
  %40 = getelementptr inbounds nuw i32, ptr %29, i64 %33
  %41 = load i32, ptr %40, align 4
  %42 = load i32, ptr %23, align 4
  %43 = icmp ult i32 %41, %42
  br i1 %43, label %44, label %52

44:
  %45 = add nuw i32 %41, 1
  %46 = zext i32 %45 to i64
  %47 = getelementptr inbounds nuw i32, ptr %23, i64 %46
  %48 = load i32, ptr %47, align 4
  %49 = icmp sgt i32 %48, -1
  br i1 %49, label %50, label %52

50:
  %51 = getelementptr inbounds nuw i32, ptr %7, i64 %33
  store i32 %48, ptr %51, align 4
  br label %54

52:
  %53 = or i32 %34, %36
  br label %54

54:
  %55 = phi i32 [ %34, %32 ], [ %34, %50 ], [ %53, %52 ]
  %56 = add nuw nsw i64 %33, 1
  %57 = icmp eq i64 %56, 32
  br i1 %57, label %30, label %32

58:
  %59 = zext i32 %55 to i64
  br label %60

60:
  %61 = phi i64 [ 0, %58 ], [ %66, %65 ]
  %62 = shl nuw nsw i64 1, %61
  %63 = and i64 %62, %59
  %64 = icmp eq i64 %63, 0
  br i1 %64, label %65, label %68

65:
  %66 = add nuw nsw i64 %61, 1
  %67 = icmp eq i64 %66, 63
  br i1 %67, label %70, label %60

68:
  %69 = and i64 %61, 4294967295
  br label %70

70:
  %71 = phi i64 [ %69, %68 ], [ 63, %65 ]
  %72 = add i32 %2, 1
  %73 = zext i32 %72 to i64
  %74 = getelementptr inbounds nuw [64 x i32], ptr %27, i64 %73
  %75 = getelementptr inbounds nuw i32, ptr %74, i64 %71
  %76 = load i32, ptr %75, align 4
  %77 = zext i32 %76 to i64
  %78 = add i32 %2, 2
  %79 = zext i32 %78 to i64
  %80 = getelementptr inbounds nuw [64 x i32], ptr %27, i64 %79
  %81 = getelementptr inbounds nuw i32, ptr %80, i64 %71
  %82 = load i32, ptr %81, align 4
  %83 = zext i32 %82 to i64
  %84 = shl nuw i64 %83, 32
  %85 = or disjoint i64 %84, %77
  tail call void @lm_rule(ptr noundef %0, i32 noundef %1, i64 noundef %59, i32 noundef %4, i64 noundef %85)
  tail call fastcc void @end_lanes(ptr noundef %0, i32 noundef %55)
  %86 = xor i32 %55, -1
  %87 = and i32 %86, %26
  %88 = icmp eq i32 %87, 0
  br i1 %88, label %89, label %91

89:
  %90 = tail call i32 @lm_ptx_exit(ptr noundef nonnull %0)
  br label %160

91:
  %92 = phi i32 [ %26, %30 ], [ %87, %70 ]
  %93 = zext i32 %92 to i64
  br label %94

94:
  %95 = phi i64 [ 0, %91 ], [ %100, %99 ]
  %96 = shl nuw nsw i64 1, %95
  %97 = and i64 %96, %93
  %98 = icmp eq i64 %97, 0
  br i1 %98, label %99, label %102

99:
  %100 = add nuw nsw i64 %95, 1
  %101 = icmp eq i64 %100, 63
  br i1 %101, label %104, label %94

102:
  %103 = and i64 %95, 4294967295
  br label %104

104:
  %105 = phi i64 [ %103, %102 ], [ 63, %99 ]
  %106 = getelementptr inbounds nuw i32, ptr %7, i64 %105
  %107 = load i32, ptr %106, align 4
  %108 = getelementptr inbounds nuw i8, ptr %0, i64 1560
  %109 = getelementptr inbounds nuw i8, ptr %0, i64 1536
  br label %113

110:
  %111 = zext i32 %157 to i64
  store i64 %111, ptr %24, align 8
  %112 = tail call i32 @go(ptr noundef %0, ptr noundef nonnull %8, i32 noundef %107, i32 noundef %5)
  br label %160

113:
  %114 = phi i64 [ 0, %104 ], [ %158, %156 ]
  %115 = phi i32 [ 0, %104 ], [ %157, %156 ]
  %116 = trunc nuw nsw i64 %114 to i32
  %117 = shl nuw i32 1, %116
  %118 = and i32 %117, %92
  %119 = icmp eq i32 %118, 0
  br i1 %119, label %156, label %120

120:
  %121 = getelementptr inbounds nuw i32, ptr %7, i64 %114
  %122 = load i32, ptr %121, align 4
  %123 = icmp eq i32 %122, %107
  br i1 %123, label %124, label %126

124:
  %125 = or i32 %117, %115
  br label %156

126:
  %127 = phi i64 [ %144, %142 ], [ 0, %120 ]
  %128 = phi ptr [ %143, %142 ], [ null, %120 ]
  %129 = getelementptr inbounds nuw %struct.Lanes, ptr %108, i64 %127
  %130 = getelementptr inbounds nuw i8, ptr %129, i64 8
  %131 = load i32, ptr %130, align 4
  switch i32 %131, label %142 [
    i32 0, label %132
    i32 1, label %135
  ]

132:
  %133 = icmp eq ptr %128, null
  %134 = select i1 %133, ptr %129, ptr %128
  br label %142

135:
  %136 = load i32, ptr %129, align 4
  %137 = icmp eq i32 %136, %122
  br i1 %137, label %138, label %142

138:
  %139 = getelementptr inbounds nuw i8, ptr %129, i64 12
  %140 = load i32, ptr %139, align 4
  %141 = icmp eq i32 %140, 0
  br i1 %141, label %146, label %142

142:
  %143 = phi ptr [ %134, %132 ], [ %128, %126 ], [ %128, %135 ], [ %128, %138 ]
  %144 = add nuw nsw i64 %127, 1
  %145 = icmp eq i64 %144, 32
  br i1 %145, label %150, label %126

146:
  %147 = getelementptr inbounds nuw i8, ptr %129, i64 4
  %148 = load i32, ptr %147, align 4
  %149 = or i32 %148, %117
  store i32 %149, ptr %147, align 4
  br label %156

150:
  store i32 %122, ptr %143, align 4
  %151 = getelementptr inbounds nuw i8, ptr %143, i64 4
  store i32 %117, ptr %151, align 4
  %152 = getelementptr inbounds nuw i8, ptr %143, i64 8
  store i32 1, ptr %152, align 4
  %153 = getelementptr inbounds nuw i8, ptr %143, i64 12
  store i32 0, ptr %153, align 4
  %154 = load i32, ptr %109, align 8
  %155 = add i32 %154, 1
  store i32 %155, ptr %109, align 8
  br label %156

156:
  %157 = phi i32 [ %125, %124 ], [ %115, %113 ], [ %115, %146 ], [ %115, %150 ]
  %158 = add nuw nsw i64 %114, 1
  %159 = icmp eq i64 %158, 32
  br i1 %159, label %110, label %113

160:
  %161 = phi i32 [ %112, %110 ], [ %90, %89 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  ret i32 %161
}

define internal fastcc void @end_lanes(ptr noundef captures(none) initializes((1556, 1560)) %0, i32 noundef range(i32 1, 0) %1) unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %4 = load i32, ptr %3, align 8
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %9, label %6

6:
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  %8 = load i32, ptr %7, align 4
  br label %13

9:
  store i32 1, ptr %3, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %11 = load i64, ptr %10, align 8
  %12 = trunc i64 %11 to i32
  br label %13

13:
  %14 = phi i32 [ %8, %6 ], [ %12, %9 ]
  %15 = xor i32 %1, -1
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  %17 = and i32 %14, %15
  store i32 %17, ptr %16, align 4
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 1556
  store i32 0, ptr %18, align 4
  %19 = zext i32 %1 to i64
  %20 = xor i64 %19, -1
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %22 = load i64, ptr %21, align 8
  %23 = and i64 %22, %20
  store i64 %23, ptr %21, align 8
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 164
  %25 = load i32, ptr %24, align 4
  %26 = icmp eq i32 %25, 1
  br i1 %26, label %27, label %77

27:
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %29

29:
  %30 = phi i64 [ 0, %27 ], [ %74, %72 ]
  %31 = load ptr, ptr %28, align 8
  %32 = getelementptr inbounds nuw i8, ptr %31, i64 144
  %33 = getelementptr inbounds nuw %struct.Barrier, ptr %32, i64 %30
  %34 = getelementptr inbounds nuw i8, ptr %33, i64 4
  %35 = load i32, ptr %34, align 4
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %72, label %37

37:
  %38 = load i32, ptr %33, align 4
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %40, label %72

40:
  %41 = getelementptr inbounds nuw i8, ptr %31, i64 12
  %42 = load i32, ptr %41, align 4
  %43 = icmp eq i32 %42, 0
  br i1 %43, label %68, label %44

44:
  %45 = load ptr, ptr %31, align 8
  %46 = getelementptr inbounds nuw i8, ptr %45, i64 16
  %47 = load ptr, ptr %46, align 8
  %48 = getelementptr inbounds nuw i8, ptr %31, i64 16
  %49 = load i32, ptr %48, align 8
  %50 = zext i32 %42 to i64
  br label %51

51:
  %52 = phi i64 [ 0, %44 ], [ %64, %51 ]
  %53 = phi i32 [ 0, %44 ], [ %63, %51 ]
  %54 = trunc nuw i64 %52 to i32
  %55 = add i32 %49, %54
  %56 = zext i32 %55 to i64
  %57 = getelementptr inbounds nuw ptr, ptr %47, i64 %56
  %58 = load ptr, ptr %57, align 8
  %59 = getelementptr inbounds nuw i8, ptr %58, i64 164
  %60 = load i32, ptr %59, align 4
  %61 = icmp eq i32 %60, 1
  %62 = add i32 %53, 32
  %63 = select i1 %61, i32 %53, i32 %62
  %64 = add nuw nsw i64 %52, 1
  %65 = icmp eq i64 %64, %50
  br i1 %65, label %66, label %51

66:
  %67 = icmp ult i32 %35, %63
  br i1 %67, label %72, label %68

68:
  %69 = trunc nuw nsw i64 %30 to i32
  tail call fastcc void @complete(ptr noundef nonnull %31, i32 noundef %69, ptr noundef null)
  %70 = load i32, ptr %24, align 4
  %71 = icmp eq i32 %70, 1
  br label %72

72:
  %73 = phi i1 [ %71, %68 ], [ true, %66 ], [ true, %37 ], [ true, %29 ]
  %74 = add nuw nsw i64 %30, 1
  %75 = icmp samesign ult i64 %30, 15
  %76 = select i1 %73, i1 %75, i1 false
  br i1 %76, label %29, label %77

77:
  %78 = load ptr, ptr %0, align 8
  tail call fastcc void @meet(ptr noundef %78)
  ret void
}

define range(i32 0, 9) i32 @lm_ptx_exit(ptr noundef captures(address) initializes((1556, 1560)) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %3 = load i32, ptr %2, align 8
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %8, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  %7 = load i32, ptr %6, align 4
  br label %12

8:
  store i32 1, ptr %2, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %10 = load i64, ptr %9, align 8
  %11 = trunc i64 %10 to i32
  br label %12

12:
  %13 = phi i32 [ %7, %5 ], [ %11, %8 ]
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %15 = load i64, ptr %14, align 8
  %16 = trunc i64 %15 to i32
  %17 = xor i32 %16, -1
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  %19 = and i32 %13, %17
  store i32 %19, ptr %18, align 4
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 1556
  store i32 0, ptr %20, align 4
  %21 = tail call i32 @choose(ptr noundef nonnull %0, ptr noundef nonnull %2)
  %22 = icmp eq i32 %21, 1
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 164
  br i1 %22, label %24, label %25

24:
  store i32 1, ptr %23, align 4
  br label %28

25:
  %26 = load i32, ptr %23, align 4
  %27 = icmp eq i32 %26, 1
  br i1 %27, label %28, label %79

28:
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 164
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %31

31:
  %32 = phi i64 [ 0, %28 ], [ %76, %74 ]
  %33 = load ptr, ptr %30, align 8
  %34 = getelementptr inbounds nuw i8, ptr %33, i64 144
  %35 = getelementptr inbounds nuw %struct.Barrier, ptr %34, i64 %32
  %36 = getelementptr inbounds nuw i8, ptr %35, i64 4
  %37 = load i32, ptr %36, align 4
  %38 = icmp eq i32 %37, 0
  br i1 %38, label %74, label %39

39:
  %40 = load i32, ptr %35, align 4
  %41 = icmp eq i32 %40, 0
  br i1 %41, label %42, label %74

42:
  %43 = getelementptr inbounds nuw i8, ptr %33, i64 12
  %44 = load i32, ptr %43, align 4
  %45 = icmp eq i32 %44, 0
  br i1 %45, label %70, label %46

46:
  %47 = load ptr, ptr %33, align 8
  %48 = getelementptr inbounds nuw i8, ptr %47, i64 16
  %49 = load ptr, ptr %48, align 8
  %50 = getelementptr inbounds nuw i8, ptr %33, i64 16
  %51 = load i32, ptr %50, align 8
  %52 = zext i32 %44 to i64
  br label %53

53:
  %54 = phi i64 [ 0, %46 ], [ %66, %53 ]
  %55 = phi i32 [ 0, %46 ], [ %65, %53 ]
  %56 = trunc nuw i64 %54 to i32
  %57 = add i32 %51, %56
  %58 = zext i32 %57 to i64
  %59 = getelementptr inbounds nuw ptr, ptr %49, i64 %58
  %60 = load ptr, ptr %59, align 8
  %61 = getelementptr inbounds nuw i8, ptr %60, i64 164
  %62 = load i32, ptr %61, align 4
  %63 = icmp eq i32 %62, 1
  %64 = add i32 %55, 32
  %65 = select i1 %63, i32 %55, i32 %64
  %66 = add nuw nsw i64 %54, 1
  %67 = icmp eq i64 %66, %52
  br i1 %67, label %68, label %53

68:
  %69 = icmp ult i32 %37, %65
  br i1 %69, label %74, label %70

70:
  %71 = trunc nuw nsw i64 %32 to i32
  tail call fastcc void @complete(ptr noundef nonnull %33, i32 noundef %71, ptr noundef null)
  %72 = load i32, ptr %29, align 4
  %73 = icmp eq i32 %72, 1
  br label %74

74:
  %75 = phi i1 [ %73, %70 ], [ true, %68 ], [ true, %39 ], [ true, %31 ]
  %76 = add nuw nsw i64 %32, 1
  %77 = icmp samesign ult i64 %32, 15
  %78 = select i1 %75, i1 %77, i1 false
  br i1 %78, label %31, label %79

79:
  %80 = load ptr, ptr %0, align 8
  tail call fastcc void @meet(ptr noundef %80)
  ret i32 %21
}

define void @lm_ptx_keep(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %6 = load i32, ptr %5, align 8
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %13

8:
  store i32 1, ptr %5, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %10 = load i64, ptr %9, align 8
  %11 = trunc i64 %10 to i32
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %11, ptr %12, align 4
  br label %13

13:
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 2112
  br label %19

17:
  %18 = icmp eq i32 %35, 0
  br i1 %18, label %43, label %38

19:
  %20 = phi i64 [ 0, %13 ], [ %36, %34 ]
  %21 = phi i32 [ 0, %13 ], [ %35, %34 ]
  %22 = shl nuw nsw i64 1, %20
  %23 = and i64 %15, %22
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %34, label %25

25:
  %26 = getelementptr inbounds nuw i32, ptr %16, i64 %20
  %27 = load i32, ptr %26, align 4
  %28 = add i32 %27, %2
  %29 = icmp ugt i32 %28, %3
  br i1 %29, label %30, label %34

30:
  %31 = trunc nuw nsw i64 %20 to i32
  %32 = shl nuw i32 1, %31
  %33 = or i32 %32, %21
  br label %34

34:
  %35 = phi i32 [ %33, %30 ], [ %21, %25 ], [ %21, %19 ]
  %36 = add nuw nsw i64 %20, 1
  %37 = icmp eq i64 %36, 32
  br i1 %37, label %17, label %19

38:
  %39 = zext i32 %35 to i64
  %40 = zext i32 %3 to i64
  %41 = shl nuw nsw i64 %40, 2
  tail call void @lm_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %39, i32 noundef 5, i64 noundef %41)
  tail call fastcc void @end_lanes(ptr noundef nonnull %0, i32 noundef %35)
  %42 = load i64, ptr %14, align 8
  br label %43

43:
  %44 = phi i64 [ %42, %38 ], [ %15, %17 ]
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %46 = icmp eq i32 %2, 0
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %50 = zext i32 %2 to i64
  br label %52

51:
  ret void

52:
  %53 = phi i64 [ 0, %43 ], [ %88, %87 ]
  %54 = shl nuw nsw i64 1, %53
  %55 = and i64 %44, %54
  %56 = icmp eq i64 %55, 0
  br i1 %56, label %87, label %57

57:
  %58 = getelementptr inbounds nuw i32, ptr %16, i64 %53
  br i1 %46, label %67, label %59

59:
  %60 = load ptr, ptr %45, align 8
  %61 = load i32, ptr %58, align 4
  %62 = zext i32 %61 to i64
  %63 = getelementptr inbounds nuw %struct.Kept, ptr %60, i64 %62
  %64 = getelementptr inbounds nuw i32, ptr %47, i64 %53
  %65 = getelementptr inbounds nuw i32, ptr %48, i64 %53
  %66 = getelementptr inbounds nuw i32, ptr %49, i64 %53
  br label %70

67:
  %68 = load i32, ptr %58, align 4
  %69 = add i32 %68, %2
  store i32 %69, ptr %58, align 4
  br label %87

70:
  %71 = phi i64 [ 0, %59 ], [ %84, %70 ]
  %72 = phi ptr [ %63, %59 ], [ %85, %70 ]
  %73 = getelementptr inbounds nuw [64 x i32], ptr %64, i64 %71
  %74 = load i32, ptr %73, align 4
  %75 = getelementptr inbounds nuw i32, ptr %72, i64 %53
  store i32 %74, ptr %75, align 4
  %76 = getelementptr inbounds nuw [64 x i32], ptr %65, i64 %71
  %77 = load i32, ptr %76, align 4
  %78 = getelementptr inbounds nuw i8, ptr %72, i64 128
  %79 = getelementptr inbounds nuw i32, ptr %78, i64 %53
  store i32 %77, ptr %79, align 4
  %80 = getelementptr inbounds nuw [64 x i32], ptr %66, i64 %71
  %81 = load i32, ptr %80, align 4
  %82 = getelementptr inbounds nuw i8, ptr %72, i64 256
  %83 = getelementptr inbounds nuw i32, ptr %82, i64 %53
  store i32 %81, ptr %83, align 4
  %84 = add nuw nsw i64 %71, 1
  %85 = getelementptr inbounds nuw i8, ptr %72, i64 384
  %86 = icmp eq i64 %84, %50
  br i1 %86, label %67, label %70

87:
  %88 = add nuw nsw i64 %53, 1
  %89 = icmp eq i64 %88, 32
  br i1 %89, label %51, label %52
}

define void @lm_ptx_take_back(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %6 = load i32, ptr %5, align 8
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %13

8:
  store i32 1, ptr %5, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %10 = load i64, ptr %9, align 8
  %11 = trunc i64 %10 to i32
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %11, ptr %12, align 4
  br label %13

13:
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 2112
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %18 = zext i32 %2 to i64
  %19 = icmp eq i32 %3, 0
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %25 = zext i32 %3 to i64
  br label %27

26:
  ret void

27:
  %28 = phi i64 [ 0, %13 ], [ %71, %70 ]
  %29 = shl nuw nsw i64 1, %28
  %30 = and i64 %15, %29
  %31 = icmp eq i64 %30, 0
  br i1 %31, label %70, label %32

32:
  %33 = getelementptr inbounds nuw i32, ptr %16, i64 %28
  %34 = load i32, ptr %33, align 4
  %35 = tail call i32 @llvm.usub.sat.i32(i32 %34, i32 %1)
  store i32 %35, ptr %33, align 4
  br i1 %19, label %70, label %36

36:
  %37 = load ptr, ptr %17, align 8
  %38 = zext i32 %35 to i64
  %39 = getelementptr inbounds nuw %struct.Kept, ptr %37, i64 %38
  %40 = getelementptr inbounds nuw %struct.Kept, ptr %39, i64 %18
  %41 = getelementptr inbounds nuw i32, ptr %20, i64 %28
  %42 = getelementptr inbounds nuw i32, ptr %21, i64 %28
  %43 = getelementptr inbounds nuw i32, ptr %22, i64 %28
  br label %44

44:
  %45 = phi i64 [ 0, %36 ], [ %67, %66 ]
  %46 = phi ptr [ %40, %36 ], [ %68, %66 ]
  %47 = getelementptr inbounds nuw i32, ptr %46, i64 %28
  %48 = load i32, ptr %47, align 4
  %49 = getelementptr inbounds nuw [64 x i32], ptr %41, i64 %45
  store i32 %48, ptr %49, align 4
  %50 = getelementptr inbounds nuw i8, ptr %46, i64 128
  %51 = getelementptr inbounds nuw i32, ptr %50, i64 %28
  %52 = load i32, ptr %51, align 4
  %53 = getelementptr inbounds nuw [64 x i32], ptr %42, i64 %45
  store i32 %52, ptr %53, align 4
  %54 = getelementptr inbounds nuw i8, ptr %46, i64 256
  %55 = getelementptr inbounds nuw i32, ptr %54, i64 %28
  %56 = load i32, ptr %55, align 4
  %57 = getelementptr inbounds nuw [64 x i32], ptr %43, i64 %45
  store i32 %56, ptr %57, align 4
  %58 = load i32, ptr %51, align 4
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %66, label %60

60:
  %61 = load ptr, ptr %23, align 8
  %62 = getelementptr inbounds nuw i8, ptr %61, i64 128
  %63 = load i64, ptr %62, align 8
  %64 = icmp eq i64 %63, 0
  br i1 %64, label %65, label %66

65:
  store i32 2, ptr %24, align 8
  br label %66

66:
  %67 = add nuw nsw i64 %45, 1
  %68 = getelementptr inbounds nuw i8, ptr %46, i64 384
  %69 = icmp eq i64 %67, %25
  br i1 %69, label %70, label %44

70:
  %71 = add nuw nsw i64 %28, 1
  %72 = icmp eq i64 %71, 32
  br i1 %72, label %26, label %27
}

define void @lm_ptx_begin(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %3 = load ptr, ptr %2, align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %5, label %8

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %7 = load i32, ptr %6, align 4
  br label %63

8:
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load i32, ptr %9, align 8
  %11 = zext i32 %10 to i64
  %12 = shl nuw nsw i64 %11, 6
  %13 = mul i64 %12, %11
  tail call void @llvm.memset.p0.i64(ptr nonnull align 1 %3, i8 0, i64 %13, i1 false)
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %15 = load i32, ptr %14, align 4
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %70, label %17

17:
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 32
  br label %20

20:
  %21 = phi i64 [ 0, %17 ], [ %59, %58 ]
  %22 = load ptr, ptr %18, align 8
  %23 = getelementptr inbounds nuw ptr, ptr %22, i64 %21
  %24 = load ptr, ptr %23, align 8
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 912
  %26 = load ptr, ptr %25, align 8
  %27 = getelementptr inbounds nuw i8, ptr %26, i64 32
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(36) %27, i8 0, i64 36, i1 false)
  %28 = load ptr, ptr %25, align 8
  %29 = getelementptr inbounds nuw i8, ptr %28, i64 24
  %30 = load ptr, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 16
  %32 = load ptr, ptr %31, align 8
  %33 = icmp eq ptr %32, null
  br i1 %33, label %34, label %58

34:
  %35 = load ptr, ptr %19, align 8
  %36 = getelementptr inbounds nuw i8, ptr %30, i64 66400
  %37 = getelementptr inbounds nuw i8, ptr %30, i64 608
  %38 = getelementptr inbounds nuw i8, ptr %35, i64 128
  %39 = load i64, ptr %38, align 8
  %40 = icmp eq i64 %39, 0
  %41 = getelementptr inbounds nuw i8, ptr %30, i64 328544
  %42 = select i1 %40, ptr null, ptr %41
  %43 = getelementptr inbounds nuw i8, ptr %30, i64 590688
  %44 = select i1 %40, ptr null, ptr %43
  %45 = getelementptr inbounds nuw i8, ptr %30, i64 33376
  %46 = getelementptr inbounds nuw i8, ptr %30, i64 66144
  store i64 0, ptr %30, align 8
  %47 = getelementptr inbounds nuw i8, ptr %30, i64 8
  store i64 262144, ptr %47, align 8
  store ptr %36, ptr %31, align 8
  %48 = getelementptr inbounds nuw i8, ptr %30, i64 24
  store ptr %37, ptr %48, align 8
  %49 = getelementptr inbounds nuw i8, ptr %30, i64 32
  store ptr %42, ptr %49, align 8
  %50 = getelementptr inbounds nuw i8, ptr %30, i64 40
  store ptr %44, ptr %50, align 8
  %51 = getelementptr inbounds nuw i8, ptr %30, i64 48
  store ptr %45, ptr %51, align 8
  %52 = getelementptr inbounds nuw i8, ptr %30, i64 56
  store ptr %46, ptr %52, align 8
  %53 = getelementptr inbounds nuw i8, ptr %30, i64 64
  %54 = getelementptr inbounds nuw i8, ptr %30, i64 80
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %53, i8 0, i64 16, i1 false)
  store i32 1, ptr %54, align 8
  %55 = getelementptr inbounds nuw i8, ptr %30, i64 84
  store i32 5, ptr %55, align 4
  %56 = getelementptr inbounds nuw i8, ptr %30, i64 88
  store i32 0, ptr %56, align 8
  %57 = getelementptr inbounds nuw i8, ptr %30, i64 92
  store i32 32336, ptr %57, align 4
  br label %58

58:
  %59 = add nuw nsw i64 %21, 1
  %60 = load i32, ptr %14, align 4
  %61 = zext i32 %60 to i64
  %62 = icmp samesign ult i64 %59, %61
  br i1 %62, label %20, label %63

63:
  %64 = phi i32 [ %7, %5 ], [ %60, %58 ]
  %65 = icmp eq i32 %64, 0
  br i1 %65, label %70, label %66

66:
  %67 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %68 = load ptr, ptr %67, align 8
  %69 = zext i32 %64 to i64
  br label %71

70:
  ret void

71:
  %72 = phi i64 [ 0, %66 ], [ %111, %110 ]
  %73 = getelementptr inbounds nuw ptr, ptr %68, i64 %72
  %74 = load ptr, ptr %73, align 8
  %75 = load ptr, ptr %74, align 8
  %76 = getelementptr inbounds nuw i8, ptr %75, i64 32
  %77 = load ptr, ptr %76, align 8
  %78 = getelementptr inbounds nuw i8, ptr %77, i64 536
  store i64 31, ptr %78, align 8
  %79 = getelementptr inbounds nuw i8, ptr %74, i64 912
  %80 = load ptr, ptr %79, align 8
  %81 = getelementptr inbounds nuw i8, ptr %80, i64 8
  %82 = load ptr, ptr %81, align 8
  %83 = getelementptr inbounds nuw i8, ptr %74, i64 88
  br label %84

84:
  %85 = phi i64 [ 0, %71 ], [ %108, %107 ]
  %86 = getelementptr inbounds nuw %struct.Mbarrier, ptr %82, i64 %85
  %87 = getelementptr inbounds nuw i8, ptr %86, i64 28
  %88 = load i32, ptr %87, align 4
  %89 = icmp eq i32 %88, 0
  br i1 %89, label %107, label %90

90:
  %91 = load ptr, ptr %80, align 8
  %92 = getelementptr inbounds nuw i8, ptr %86, i64 24
  %93 = load i32, ptr %92, align 8
  %94 = lshr i32 %93, 3
  %95 = zext nneg i32 %94 to i64
  %96 = getelementptr inbounds nuw i16, ptr %91, i64 %95
  store i16 0, ptr %96, align 2
  %97 = zext i32 %93 to i64
  %98 = lshr i64 %97, 3
  %99 = and i64 %98, 63
  %100 = shl nuw i64 1, %99
  %101 = load ptr, ptr %83, align 8
  %102 = lshr i64 %97, 9
  %103 = getelementptr inbounds nuw i64, ptr %101, i64 %102
  %104 = load i64, ptr %103, align 8
  %105 = xor i64 %100, -1
  %106 = and i64 %104, %105
  store i64 %106, ptr %103, align 8
  br label %107

107:
  store i32 0, ptr %87, align 4
  %108 = add nuw nsw i64 %85, 1
  %109 = icmp eq i64 %108, 512
  br i1 %109, label %110, label %84

110:
  %111 = add nuw nsw i64 %72, 1
  %112 = icmp eq i64 %111, %69
  br i1 %112, label %70, label %71
}

define void @tensor_enter(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %3 = load ptr, ptr %2, align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %62, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load i32, ptr %6, align 8
  %8 = zext i32 %7 to i64
  %9 = shl nuw nsw i64 %8, 6
  %10 = mul i64 %9, %8
  tail call void @llvm.memset.p0.i64(ptr nonnull align 1 %3, i8 0, i64 %10, i1 false)
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %12 = load i32, ptr %11, align 4
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %62, label %14

14:
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 32
  br label %17

17:
  %18 = phi i64 [ 0, %14 ], [ %58, %57 ]
  %19 = load ptr, ptr %15, align 8
  %20 = getelementptr inbounds nuw ptr, ptr %19, i64 %18
  %21 = load ptr, ptr %20, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 912
  %23 = load ptr, ptr %22, align 8
  %24 = getelementptr inbounds nuw i8, ptr %23, i64 36
  store i32 0, ptr %24, align 4
  %25 = getelementptr inbounds nuw i8, ptr %23, i64 32
  store i32 0, ptr %25, align 8
  %26 = getelementptr inbounds nuw i8, ptr %23, i64 40
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(28) %26, i8 0, i64 28, i1 false)
  %27 = load ptr, ptr %22, align 8
  %28 = getelementptr inbounds nuw i8, ptr %27, i64 24
  %29 = load ptr, ptr %28, align 8
  %30 = getelementptr inbounds nuw i8, ptr %29, i64 16
  %31 = load ptr, ptr %30, align 8
  %32 = icmp eq ptr %31, null
  br i1 %32, label %33, label %57

33:
  %34 = load ptr, ptr %16, align 8
  %35 = getelementptr inbounds nuw i8, ptr %29, i64 66400
  %36 = getelementptr inbounds nuw i8, ptr %29, i64 608
  %37 = getelementptr inbounds nuw i8, ptr %34, i64 128
  %38 = load i64, ptr %37, align 8
  %39 = icmp eq i64 %38, 0
  %40 = getelementptr inbounds nuw i8, ptr %29, i64 328544
  %41 = select i1 %39, ptr null, ptr %40
  %42 = getelementptr inbounds nuw i8, ptr %29, i64 590688
  %43 = select i1 %39, ptr null, ptr %42
  %44 = getelementptr inbounds nuw i8, ptr %29, i64 33376
  %45 = getelementptr inbounds nuw i8, ptr %29, i64 66144
  store i64 0, ptr %29, align 8
  %46 = getelementptr inbounds nuw i8, ptr %29, i64 8
  store i64 262144, ptr %46, align 8
  store ptr %35, ptr %30, align 8
  %47 = getelementptr inbounds nuw i8, ptr %29, i64 24
  store ptr %36, ptr %47, align 8
  %48 = getelementptr inbounds nuw i8, ptr %29, i64 32
  store ptr %41, ptr %48, align 8
  %49 = getelementptr inbounds nuw i8, ptr %29, i64 40
  store ptr %43, ptr %49, align 8
  %50 = getelementptr inbounds nuw i8, ptr %29, i64 48
  store ptr %44, ptr %50, align 8
  %51 = getelementptr inbounds nuw i8, ptr %29, i64 56
  store ptr %45, ptr %51, align 8
  %52 = getelementptr inbounds nuw i8, ptr %29, i64 64
  %53 = getelementptr inbounds nuw i8, ptr %29, i64 80
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %52, i8 0, i64 16, i1 false)
  store i32 1, ptr %53, align 8
  %54 = getelementptr inbounds nuw i8, ptr %29, i64 84
  store i32 5, ptr %54, align 4
  %55 = getelementptr inbounds nuw i8, ptr %29, i64 88
  store i32 0, ptr %55, align 8
  %56 = getelementptr inbounds nuw i8, ptr %29, i64 92
  store i32 32336, ptr %56, align 4
  br label %57

57:
  %58 = add nuw nsw i64 %18, 1
  %59 = load i32, ptr %11, align 4
  %60 = zext i32 %59 to i64
  %61 = icmp samesign ult i64 %58, %60
  br i1 %61, label %17, label %62

62:
  ret void
}

define void @lm_ptx_leave(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 912
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %7 = load ptr, ptr %6, align 8
  %8 = icmp eq ptr %7, null
  br i1 %8, label %56, label %9

9:
  %10 = getelementptr inbounds nuw i8, ptr %7, i64 96
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 32
  br label %12

12:
  %13 = phi i64 [ 0, %9 ], [ %54, %53 ]
  %14 = getelementptr inbounds nuw %struct.TensorUnit, ptr %10, i64 %13
  %15 = load i64, ptr %14, align 8
  %16 = load ptr, ptr %2, align 8
  %17 = load ptr, ptr %16, align 8
  %18 = load i64, ptr %17, align 8
  %19 = shl i64 %18, 4
  %20 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %21 = load i32, ptr %20, align 8
  %22 = zext i32 %21 to i64
  %23 = or disjoint i64 %19, 1
  %24 = add i64 %23, %22
  %25 = icmp eq i64 %15, %24
  br i1 %25, label %26, label %53

26:
  %27 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %28 = load i32, ptr %27, align 8
  %29 = load i64, ptr %11, align 8
  %30 = getelementptr inbounds nuw i8, ptr %14, i64 20
  %31 = load i32, ptr %30, align 4
  %32 = zext i32 %31 to i64
  %33 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %34 = load i32, ptr %33, align 8
  %35 = zext i32 %34 to i64
  %36 = getelementptr inbounds nuw i8, ptr %14, i64 28
  %37 = load i32, ptr %36, align 4
  %38 = zext i32 %37 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %28, i64 noundef %29, i32 noundef 21, i64 noundef %32, i64 noundef %35, i64 noundef %38)
  %39 = load i32, ptr %33, align 8
  %40 = load i32, ptr %30, align 4
  %41 = lshr i32 %39, 5
  %42 = add i32 %40, %39
  %43 = lshr i32 %42, 5
  %44 = icmp samesign ult i32 %41, %43
  br i1 %44, label %45, label %53

45:
  %46 = zext nneg i32 %41 to i64
  %47 = zext nneg i32 %43 to i64
  br label %48

48:
  %49 = phi i64 [ %46, %45 ], [ %51, %48 ]
  %50 = getelementptr inbounds nuw %struct.TensorUnit, ptr %10, i64 %49
  store i64 0, ptr %50, align 8
  %51 = add nuw nsw i64 %49, 1
  %52 = icmp eq i64 %51, %47
  br i1 %52, label %53, label %48

53:
  %54 = add nuw nsw i64 %13, 1
  %55 = icmp eq i64 %54, 16
  br i1 %55, label %56, label %12

56:
  ret void
}

define void @tensor_leave(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 912
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %7 = load ptr, ptr %6, align 8
  %8 = icmp eq ptr %7, null
  br i1 %8, label %12, label %9

9:
  %10 = getelementptr inbounds nuw i8, ptr %7, i64 96
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 32
  br label %13

12:
  ret void

13:
  %14 = phi i64 [ 0, %9 ], [ %55, %54 ]
  %15 = getelementptr inbounds nuw %struct.TensorUnit, ptr %10, i64 %14
  %16 = load i64, ptr %15, align 8
  %17 = load ptr, ptr %2, align 8
  %18 = load ptr, ptr %17, align 8
  %19 = load i64, ptr %18, align 8
  %20 = shl i64 %19, 4
  %21 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %22 = load i32, ptr %21, align 8
  %23 = zext i32 %22 to i64
  %24 = or disjoint i64 %20, 1
  %25 = add i64 %24, %23
  %26 = icmp eq i64 %16, %25
  br i1 %26, label %27, label %54

27:
  %28 = getelementptr inbounds nuw i8, ptr %15, i64 24
  %29 = load i32, ptr %28, align 8
  %30 = load i64, ptr %11, align 8
  %31 = getelementptr inbounds nuw i8, ptr %15, i64 20
  %32 = load i32, ptr %31, align 4
  %33 = zext i32 %32 to i64
  %34 = getelementptr inbounds nuw i8, ptr %15, i64 16
  %35 = load i32, ptr %34, align 8
  %36 = zext i32 %35 to i64
  %37 = getelementptr inbounds nuw i8, ptr %15, i64 28
  %38 = load i32, ptr %37, align 4
  %39 = zext i32 %38 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %29, i64 noundef %30, i32 noundef 21, i64 noundef %33, i64 noundef %36, i64 noundef %39)
  %40 = load i32, ptr %34, align 8
  %41 = load i32, ptr %31, align 4
  %42 = lshr i32 %40, 5
  %43 = add i32 %41, %40
  %44 = lshr i32 %43, 5
  %45 = icmp samesign ult i32 %42, %44
  br i1 %45, label %46, label %54

46:
  %47 = zext nneg i32 %42 to i64
  %48 = zext nneg i32 %44 to i64
  br label %49

49:
  %50 = phi i64 [ %47, %46 ], [ %52, %49 ]
  %51 = getelementptr inbounds nuw %struct.TensorUnit, ptr %10, i64 %50
  store i64 0, ptr %51, align 8
  %52 = add nuw nsw i64 %50, 1
  %53 = icmp eq i64 %52, %48
  br i1 %53, label %54, label %49

54:
  %55 = add nuw nsw i64 %14, 1
  %56 = icmp eq i64 %55, 16
  br i1 %56, label %12, label %13
}

define void @lm_ptx_resume(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load i32, ptr %2, align 8
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %28, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = zext i32 %3 to i64
  br label %9

9:
  %10 = phi i64 [ 0, %5 ], [ %26, %25 ]
  %11 = getelementptr inbounds nuw ptr, ptr %7, i64 %10
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 164
  %14 = load i32, ptr %13, align 4
  %15 = icmp eq i32 %14, 2
  br i1 %15, label %16, label %25

16:
  %17 = getelementptr inbounds nuw i8, ptr %12, i64 244
  %18 = load i32, ptr %17, align 4
  %19 = icmp eq i32 %18, 0
  br i1 %19, label %25, label %20

20:
  %21 = getelementptr inbounds nuw i8, ptr %12, i64 196
  %22 = load i32, ptr %21, align 4
  %23 = icmp eq i32 %22, 18
  br i1 %23, label %24, label %25

24:
  store i32 0, ptr %13, align 4
  store i32 0, ptr %17, align 4
  br label %25

25:
  %26 = add nuw nsw i64 %10, 1
  %27 = icmp eq i64 %26, %8
  br i1 %27, label %28, label %9

28:
  ret void
}

define void @retry_columns(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load i32, ptr %2, align 8
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %9, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = zext i32 %3 to i64
  br label %10

9:
  ret void

10:
  %11 = phi i64 [ 0, %5 ], [ %27, %26 ]
  %12 = getelementptr inbounds nuw ptr, ptr %7, i64 %11
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 164
  %15 = load i32, ptr %14, align 4
  %16 = icmp eq i32 %15, 2
  br i1 %16, label %17, label %26

17:
  %18 = getelementptr inbounds nuw i8, ptr %13, i64 244
  %19 = load i32, ptr %18, align 4
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %26, label %21

21:
  %22 = getelementptr inbounds nuw i8, ptr %13, i64 196
  %23 = load i32, ptr %22, align 4
  %24 = icmp eq i32 %23, 18
  br i1 %24, label %25, label %26

25:
  store i32 0, ptr %14, align 4
  store i32 0, ptr %18, align 4
  br label %26

26:
  %27 = add nuw nsw i64 %11, 1
  %28 = icmp eq i64 %27, %8
  br i1 %28, label %9, label %10
}

define range(i32 0, 9) i32 @lm_ptx_stalled(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = tail call i32 @mbarrier_give_up(ptr noundef %0)
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %4, label %26

4:
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load i32, ptr %5, align 8
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %26, label %8

8:
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = zext i32 %6 to i64
  br label %12

12:
  %13 = phi i64 [ 0, %8 ], [ %24, %23 ]
  %14 = getelementptr inbounds nuw ptr, ptr %10, i64 %13
  %15 = load ptr, ptr %14, align 8
  %16 = getelementptr inbounds nuw i8, ptr %15, i64 164
  %17 = load i32, ptr %16, align 4
  %18 = icmp eq i32 %17, 2
  br i1 %18, label %19, label %23

19:
  %20 = getelementptr inbounds nuw i8, ptr %15, i64 196
  %21 = load i32, ptr %20, align 4
  %22 = icmp eq i32 %21, 18
  br i1 %22, label %26, label %23

23:
  %24 = add nuw nsw i64 %13, 1
  %25 = icmp eq i64 %24, %11
  br i1 %25, label %26, label %12

26:
  %27 = phi i32 [ 0, %1 ], [ 8, %4 ], [ 8, %23 ], [ 3, %19 ]
  ret i32 %27
}

define range(i32 0, 2) i32 @columns_awaited(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load i32, ptr %2, align 8
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %23, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = zext i32 %3 to i64
  br label %9

9:
  %10 = phi i64 [ 0, %5 ], [ %21, %20 ]
  %11 = getelementptr inbounds nuw ptr, ptr %7, i64 %10
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 164
  %14 = load i32, ptr %13, align 4
  %15 = icmp eq i32 %14, 2
  br i1 %15, label %16, label %20

16:
  %17 = getelementptr inbounds nuw i8, ptr %12, i64 196
  %18 = load i32, ptr %17, align 4
  %19 = icmp eq i32 %18, 18
  br i1 %19, label %23, label %20

20:
  %21 = add nuw nsw i64 %10, 1
  %22 = icmp eq i64 %21, %8
  br i1 %22, label %23, label %9

23:
  %24 = phi i32 [ 0, %1 ], [ 0, %20 ], [ 1, %16 ]
  ret i32 %24
}

define range(i32 0, 9) i32 @lm_ptx_goto(ptr noundef captures(address) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %5 = load i64, ptr %4, align 8
  %6 = icmp eq i64 %5, 0
  br i1 %6, label %7, label %9

7:
  %8 = tail call i32 @lm_ptx_exit(ptr noundef nonnull %0)
  br label %20

9:
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %11 = load i32, ptr %10, align 8
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %13, label %18

13:
  store i32 1, ptr %10, align 8
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %15 = load i64, ptr %14, align 8
  %16 = trunc i64 %15 to i32
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %16, ptr %17, align 4
  br label %18

18:
  %19 = tail call i32 @go(ptr noundef nonnull %0, ptr noundef nonnull %10, i32 noundef %1, i32 noundef %2)
  br label %20

20:
  %21 = phi i32 [ %19, %18 ], [ %8, %7 ]
  ret i32 %21
}

define range(i32 0, 9) i32 @lm_ptx_branch(ptr noundef captures(address) %0, i64 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %7 = load i32, ptr %6, align 8
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %9, label %14

9:
  store i32 1, ptr %6, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %11 = load i64, ptr %10, align 8
  %12 = trunc i64 %11 to i32
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %12, ptr %13, align 4
  br label %14

14:
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %16 = load i64, ptr %15, align 8
  %17 = trunc i64 %16 to i32
  %18 = and i64 %16, %1
  %19 = trunc i64 %18 to i32
  %20 = xor i32 %19, -1
  %21 = and i32 %20, %17
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %23, label %26

23:
  %24 = and i32 %4, 1
  %25 = tail call i32 @go(ptr noundef nonnull %0, ptr noundef nonnull %6, i32 noundef %2, i32 noundef %24)
  br label %69

26:
  %27 = icmp eq i32 %19, 0
  br i1 %27, label %28, label %31

28:
  %29 = lshr i32 %4, 1
  %30 = tail call i32 @go(ptr noundef nonnull %0, ptr noundef nonnull %6, i32 noundef %3, i32 noundef %29)
  br label %69

31:
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 1560
  br label %33

33:
  %34 = phi i64 [ 0, %31 ], [ %51, %49 ]
  %35 = phi ptr [ null, %31 ], [ %50, %49 ]
  %36 = getelementptr inbounds nuw %struct.Lanes, ptr %32, i64 %34
  %37 = getelementptr inbounds nuw i8, ptr %36, i64 8
  %38 = load i32, ptr %37, align 4
  switch i32 %38, label %49 [
    i32 0, label %39
    i32 1, label %42
  ]

39:
  %40 = icmp eq ptr %35, null
  %41 = select i1 %40, ptr %36, ptr %35
  br label %49

42:
  %43 = load i32, ptr %36, align 4
  %44 = icmp eq i32 %43, %2
  br i1 %44, label %45, label %49

45:
  %46 = getelementptr inbounds nuw i8, ptr %36, i64 12
  %47 = load i32, ptr %46, align 4
  %48 = icmp eq i32 %47, 0
  br i1 %48, label %53, label %49

49:
  %50 = phi ptr [ %41, %39 ], [ %35, %33 ], [ %35, %42 ], [ %35, %45 ]
  %51 = add nuw nsw i64 %34, 1
  %52 = icmp eq i64 %51, 32
  br i1 %52, label %57, label %33

53:
  %54 = getelementptr inbounds nuw i8, ptr %36, i64 4
  %55 = load i32, ptr %54, align 4
  %56 = or i32 %55, %19
  store i32 %56, ptr %54, align 4
  br label %64

57:
  store i32 %2, ptr %50, align 4
  %58 = getelementptr inbounds nuw i8, ptr %50, i64 4
  store i32 %19, ptr %58, align 4
  %59 = getelementptr inbounds nuw i8, ptr %50, i64 8
  store i32 1, ptr %59, align 4
  %60 = getelementptr inbounds nuw i8, ptr %50, i64 12
  store i32 0, ptr %60, align 4
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 1536
  %62 = load i32, ptr %61, align 8
  %63 = add i32 %62, 1
  store i32 %63, ptr %61, align 8
  br label %64

64:
  %65 = zext i32 %21 to i64
  store i64 %65, ptr %15, align 8
  %66 = icmp ne i32 %4, 0
  %67 = zext i1 %66 to i32
  %68 = tail call i32 @go(ptr noundef nonnull %0, ptr noundef nonnull %6, i32 noundef %3, i32 noundef %67)
  br label %69

69:
  %70 = phi i32 [ %68, %64 ], [ %30, %28 ], [ %25, %23 ]
  ret i32 %70
}

define range(i32 -1, 9) i32 @lm_ptx_gate(ptr noundef captures(address) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %12

7:
  store i32 1, ptr %4, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %9 = load i64, ptr %8, align 8
  %10 = trunc i64 %9 to i32
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %10, ptr %11, align 4
  br label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %14 = load i64, ptr %13, align 8
  %15 = trunc i64 %14 to i32
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 1560
  br label %21

17:
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %19 = zext i32 %2 to i64
  %20 = getelementptr inbounds nuw [64 x i32], ptr %18, i64 %19
  br label %41

21:
  %22 = phi i64 [ 0, %12 ], [ %37, %35 ]
  %23 = phi i32 [ %15, %12 ], [ %36, %35 ]
  %24 = getelementptr inbounds nuw %struct.Lanes, ptr %16, i64 %22
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %26 = load i32, ptr %25, align 8
  %27 = icmp eq i32 %26, 2
  br i1 %27, label %28, label %35

28:
  %29 = load i32, ptr %24, align 8
  %30 = icmp eq i32 %29, %1
  br i1 %30, label %31, label %35

31:
  %32 = getelementptr inbounds nuw i8, ptr %24, i64 4
  %33 = load i32, ptr %32, align 4
  %34 = or i32 %33, %23
  br label %35

35:
  %36 = phi i32 [ %34, %31 ], [ %23, %28 ], [ %23, %21 ]
  %37 = add nuw nsw i64 %22, 1
  %38 = icmp eq i64 %37, 32
  br i1 %38, label %17, label %21

39:
  %40 = tail call fastcc i32 @gate(ptr noundef %0, i32 noundef %1, i32 noundef %53)
  ret i32 %40

41:
  %42 = phi i64 [ 0, %17 ], [ %54, %52 ]
  %43 = phi i32 [ 0, %17 ], [ %53, %52 ]
  %44 = trunc nuw nsw i64 %42 to i32
  %45 = shl nuw i32 1, %44
  %46 = and i32 %45, %36
  %47 = icmp eq i32 %46, 0
  br i1 %47, label %52, label %48

48:
  %49 = getelementptr inbounds nuw i32, ptr %20, i64 %42
  %50 = load i32, ptr %49, align 4
  %51 = or i32 %50, %43
  br label %52

52:
  %53 = phi i32 [ %51, %48 ], [ %43, %41 ]
  %54 = add nuw nsw i64 %42, 1
  %55 = icmp eq i64 %54, 32
  br i1 %55, label %39, label %41
}

define internal fastcc range(i32 -1, 9) i32 @gate(ptr noundef captures(address) %0, i32 noundef %1, i32 noundef %2) unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 1528
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %12

7:
  store i32 1, ptr %4, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %9 = load i64, ptr %8, align 8
  %10 = trunc i64 %9 to i32
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  store i32 %10, ptr %11, align 4
  br label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 1536
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 1560
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %16 = load i32, ptr %13, align 8
  br label %17

17:
  %18 = phi i64 [ 0, %12 ], [ %49, %47 ]
  %19 = phi i32 [ %16, %12 ], [ %48, %47 ]
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %21, label %31

21:
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 1532
  %23 = load i32, ptr %22, align 4
  %24 = and i32 %23, %2
  %25 = load i64, ptr %15, align 8
  %26 = trunc i64 %25 to i32
  %27 = xor i32 %26, -1
  %28 = and i32 %24, %27
  %29 = icmp eq i32 %28, 0
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 1556
  br i1 %29, label %51, label %52

31:
  %32 = getelementptr inbounds nuw %struct.Lanes, ptr %14, i64 %18
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 8
  %34 = load i32, ptr %33, align 4
  %35 = add i32 %34, -1
  %36 = icmp ult i32 %35, 2
  br i1 %36, label %37, label %47

37:
  %38 = load i32, ptr %32, align 4
  %39 = icmp eq i32 %38, %1
  br i1 %39, label %40, label %47

40:
  %41 = getelementptr inbounds nuw i8, ptr %32, i64 4
  %42 = load i32, ptr %41, align 4
  %43 = zext i32 %42 to i64
  %44 = load i64, ptr %15, align 8
  %45 = or i64 %44, %43
  store i64 %45, ptr %15, align 8
  store i32 0, ptr %33, align 4
  %46 = add i32 %19, -1
  store i32 %46, ptr %13, align 8
  br label %47

47:
  %48 = phi i32 [ %19, %31 ], [ %46, %40 ], [ %19, %37 ]
  %49 = add nuw nsw i64 %18, 1
  %50 = icmp eq i64 %49, 32
  br i1 %50, label %21, label %17

51:
  store i32 0, ptr %30, align 4
  br label %88

52:
  %53 = load i32, ptr %30, align 4
  %54 = add i32 %53, 1
  store i32 %54, ptr %30, align 4
  %55 = icmp eq i32 %26, 0
  br i1 %55, label %86, label %56

56:
  %57 = phi i64 [ %74, %72 ], [ 0, %52 ]
  %58 = phi ptr [ %73, %72 ], [ null, %52 ]
  %59 = getelementptr inbounds nuw %struct.Lanes, ptr %14, i64 %57
  %60 = getelementptr inbounds nuw i8, ptr %59, i64 8
  %61 = load i32, ptr %60, align 4
  switch i32 %61, label %72 [
    i32 0, label %62
    i32 2, label %65
  ]

62:
  %63 = icmp eq ptr %58, null
  %64 = select i1 %63, ptr %59, ptr %58
  br label %72

65:
  %66 = load i32, ptr %59, align 4
  %67 = icmp eq i32 %66, %1
  br i1 %67, label %68, label %72

68:
  %69 = getelementptr inbounds nuw i8, ptr %59, i64 12
  %70 = load i32, ptr %69, align 4
  %71 = icmp eq i32 %70, 0
  br i1 %71, label %76, label %72

72:
  %73 = phi ptr [ %64, %62 ], [ %58, %56 ], [ %58, %65 ], [ %58, %68 ]
  %74 = add nuw nsw i64 %57, 1
  %75 = icmp eq i64 %74, 32
  br i1 %75, label %80, label %56

76:
  %77 = getelementptr inbounds nuw i8, ptr %59, i64 4
  %78 = load i32, ptr %77, align 4
  %79 = or i32 %78, %26
  store i32 %79, ptr %77, align 4
  br label %86

80:
  store i32 %1, ptr %73, align 4
  %81 = getelementptr inbounds nuw i8, ptr %73, i64 4
  store i32 %26, ptr %81, align 4
  %82 = getelementptr inbounds nuw i8, ptr %73, i64 8
  store i32 2, ptr %82, align 4
  %83 = getelementptr inbounds nuw i8, ptr %73, i64 12
  store i32 0, ptr %83, align 4
  %84 = load i32, ptr %13, align 8
  %85 = add i32 %84, 1
  store i32 %85, ptr %13, align 8
  br label %86

86:
  %87 = tail call i32 @choose(ptr noundef nonnull %0, ptr noundef nonnull %4)
  br label %88

88:
  %89 = phi i32 [ %87, %86 ], [ -1, %51 ]
  ret i32 %89
}

define range(i32 -1, 9) i32 @lm_ptx_gate_mask(ptr noundef captures(address) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = tail call fastcc i32 @gate(ptr noundef %0, i32 noundef %1, i32 noundef %2)
  ret i32 %4
}

define range(i32 -1, 9) i32 @lm_ptx_gate_all(ptr noundef captures(address) %0, i32 noundef %1) local_unnamed_addr {
  %3 = tail call fastcc i32 @gate(ptr noundef %0, i32 noundef %1, i32 noundef -1)
  ret i32 %3
}

define void @lm_ptx_shuffle(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = alloca [32 x i32], align 16
  %7 = alloca [32 x i32], align 16
  %8 = alloca [32 x i32], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %10 = zext i32 %3 to i64
  %11 = getelementptr inbounds nuw [64 x i32], ptr %9, i64 %10
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %13 = getelementptr inbounds nuw [64 x i32], ptr %12, i64 %10
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %15 = getelementptr inbounds nuw [64 x i32], ptr %14, i64 %10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(128) %6, ptr noundef nonnull align 4 dereferenceable(128) %11, i64 128, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(128) %7, ptr noundef nonnull align 4 dereferenceable(128) %13, i64 128, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(128) %8, ptr noundef nonnull align 4 dereferenceable(128) %15, i64 128, i1 false)
  %16 = add i32 %3, 1
  %17 = zext i32 %16 to i64
  %18 = getelementptr inbounds nuw [64 x i32], ptr %9, i64 %17
  %19 = add i32 %3, 2
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds nuw [64 x i32], ptr %9, i64 %20
  %22 = add i32 %3, 3
  %23 = zext i32 %22 to i64
  %24 = getelementptr inbounds nuw [64 x i32], ptr %9, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 184
  br label %28

27:
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  ret void

28:
  %29 = phi i64 [ 0, %5 ], [ %98, %97 ]
  %30 = shl nuw nsw i64 1, %29
  %31 = and i64 %30, %2
  %32 = icmp eq i64 %31, 0
  br i1 %32, label %97, label %33

33:
  %34 = getelementptr inbounds nuw i32, ptr %18, i64 %29
  %35 = load i32, ptr %34, align 4
  %36 = and i32 %35, 31
  %37 = getelementptr inbounds nuw i32, ptr %21, i64 %29
  %38 = load i32, ptr %37, align 4
  %39 = and i32 %38, 31
  %40 = lshr i32 %38, 8
  %41 = and i32 %40, 31
  %42 = trunc nuw nsw i64 %29 to i32
  %43 = and i32 %41, %42
  %44 = xor i32 %41, -1
  %45 = and i32 %39, %44
  %46 = or i32 %43, %45
  switch i32 %4, label %54 [
    i32 0, label %47
    i32 1, label %50
    i32 2, label %52
  ]

47:
  %48 = sub nsw i32 %42, %36
  %49 = icmp sge i32 %48, %46
  br label %60

50:
  %51 = add nuw nsw i32 %36, %42
  br label %57

52:
  %53 = xor i32 %36, %42
  br label %57

54:
  %55 = and i32 %36, %44
  %56 = or i32 %43, %55
  br label %57

57:
  %58 = phi i32 [ %51, %50 ], [ %53, %52 ], [ %56, %54 ]
  %59 = icmp samesign ule i32 %58, %46
  br label %60

60:
  %61 = phi i32 [ %48, %47 ], [ %58, %57 ]
  %62 = phi i1 [ %49, %47 ], [ %59, %57 ]
  %63 = zext i1 %62 to i32
  %64 = select i1 %62, i32 %61, i32 %42
  %65 = getelementptr inbounds nuw i32, ptr %24, i64 %29
  store i32 %63, ptr %65, align 4
  %66 = zext nneg i32 %64 to i64
  %67 = shl nuw i64 1, %66
  %68 = and i64 %67, %2
  %69 = icmp eq i64 %68, 0
  %70 = sext i32 %64 to i64
  %71 = getelementptr inbounds i32, ptr %6, i64 %70
  %72 = load i32, ptr %71, align 4
  br i1 %69, label %87, label %73

73:
  %74 = getelementptr inbounds i32, ptr %7, i64 %70
  %75 = load i32, ptr %74, align 4
  %76 = getelementptr inbounds i32, ptr %8, i64 %70
  %77 = load i32, ptr %76, align 4
  %78 = getelementptr inbounds nuw i32, ptr %11, i64 %29
  store i32 %72, ptr %78, align 4
  %79 = getelementptr inbounds nuw i32, ptr %13, i64 %29
  store i32 %75, ptr %79, align 4
  %80 = getelementptr inbounds nuw i32, ptr %15, i64 %29
  store i32 %77, ptr %80, align 4
  %81 = icmp eq i32 %75, 0
  br i1 %81, label %97, label %82

82:
  %83 = load ptr, ptr %25, align 8
  %84 = getelementptr inbounds nuw i8, ptr %83, i64 128
  %85 = load i64, ptr %84, align 8
  %86 = icmp eq i64 %85, 0
  br i1 %86, label %96, label %97

87:
  %88 = tail call i32 @lm_origin(ptr noundef nonnull %0, i32 noundef 2, i32 noundef %1, i32 noundef %42, i32 noundef 0, i64 noundef 0)
  %89 = getelementptr inbounds nuw i32, ptr %11, i64 %29
  store i32 %72, ptr %89, align 4
  %90 = getelementptr inbounds nuw i32, ptr %13, i64 %29
  store i32 -1, ptr %90, align 4
  %91 = getelementptr inbounds nuw i32, ptr %15, i64 %29
  store i32 %88, ptr %91, align 4
  %92 = load ptr, ptr %25, align 8
  %93 = getelementptr inbounds nuw i8, ptr %92, i64 128
  %94 = load i64, ptr %93, align 8
  %95 = icmp eq i64 %94, 0
  br i1 %95, label %96, label %97

96:
  store i32 2, ptr %26, align 8
  br label %97

97:
  %98 = add nuw nsw i64 %29, 1
  %99 = icmp eq i64 %98, 32
  br i1 %99, label %27, label %28
}

define void @lm_ptx_match(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = alloca [32 x i32], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %8 = add i32 %3, 2
  %9 = zext i32 %8 to i64
  %10 = getelementptr inbounds nuw [64 x i32], ptr %7, i64 %9
  %11 = trunc i64 %2 to i32
  %12 = zext i32 %3 to i64
  %13 = getelementptr inbounds nuw [64 x i32], ptr %7, i64 %12
  %14 = add i32 %3, 1
  %15 = zext i32 %14 to i64
  %16 = getelementptr inbounds nuw [64 x i32], ptr %7, i64 %15
  %17 = icmp eq i32 %4, 0
  %18 = add i32 %3, 3
  %19 = zext i32 %18 to i64
  %20 = getelementptr inbounds nuw [64 x i32], ptr %7, i64 %19
  br label %21

21:
  %22 = phi i64 [ 0, %5 ], [ %63, %62 ]
  %23 = shl nuw nsw i64 1, %22
  %24 = and i64 %23, %2
  %25 = icmp eq i64 %24, 0
  br i1 %25, label %62, label %26

26:
  %27 = getelementptr inbounds nuw i32, ptr %10, i64 %22
  %28 = load i32, ptr %27, align 4
  %29 = and i32 %28, %11
  %30 = getelementptr inbounds nuw i32, ptr %13, i64 %22
  %31 = getelementptr inbounds nuw i32, ptr %16, i64 %22
  br label %39

32:
  %33 = icmp eq i32 %59, %29
  %34 = select i1 %33, i32 %29, i32 0
  %35 = select i1 %17, i32 %59, i32 %34
  %36 = getelementptr inbounds nuw i32, ptr %6, i64 %22
  store i32 %35, ptr %36, align 4
  %37 = zext i1 %33 to i32
  %38 = getelementptr inbounds nuw i32, ptr %20, i64 %22
  store i32 %37, ptr %38, align 4
  br label %62

39:
  %40 = phi i64 [ 0, %26 ], [ %60, %58 ]
  %41 = phi i32 [ 0, %26 ], [ %59, %58 ]
  %42 = trunc nuw nsw i64 %40 to i32
  %43 = shl nuw i32 1, %42
  %44 = and i32 %43, %29
  %45 = icmp eq i32 %44, 0
  br i1 %45, label %58, label %46

46:
  %47 = getelementptr inbounds nuw i32, ptr %13, i64 %40
  %48 = load i32, ptr %47, align 4
  %49 = load i32, ptr %30, align 4
  %50 = icmp eq i32 %48, %49
  br i1 %50, label %51, label %58

51:
  %52 = getelementptr inbounds nuw i32, ptr %16, i64 %40
  %53 = load i32, ptr %52, align 4
  %54 = load i32, ptr %31, align 4
  %55 = icmp eq i32 %53, %54
  %56 = select i1 %55, i32 %43, i32 0
  %57 = or i32 %56, %41
  br label %58

58:
  %59 = phi i32 [ %41, %39 ], [ %57, %51 ], [ %41, %46 ]
  %60 = add nuw nsw i64 %40, 1
  %61 = icmp eq i64 %60, 32
  br i1 %61, label %32, label %39

62:
  %63 = add nuw nsw i64 %22, 1
  %64 = icmp eq i64 %63, 32
  br i1 %64, label %66, label %21

65:
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  ret void

66:
  %67 = phi i64 [ %76, %75 ], [ 0, %62 ]
  %68 = shl nuw nsw i64 1, %67
  %69 = and i64 %68, %2
  %70 = icmp eq i64 %69, 0
  br i1 %70, label %75, label %71

71:
  %72 = getelementptr inbounds nuw i32, ptr %6, i64 %67
  %73 = load i32, ptr %72, align 4
  %74 = getelementptr inbounds nuw i32, ptr %13, i64 %67
  store i32 %73, ptr %74, align 4
  br label %75

75:
  %76 = add nuw nsw i64 %67, 1
  %77 = icmp eq i64 %76, 32
  br i1 %77, label %65, label %66
}

define void @lm_ptx_reduce(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = alloca [32 x i32], align 16
  %7 = alloca [32 x i32], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %9 = add i32 %3, 1
  %10 = zext i32 %9 to i64
  %11 = getelementptr inbounds nuw [64 x i32], ptr %8, i64 %10
  %12 = trunc i64 %2 to i32
  %13 = zext i32 %3 to i64
  %14 = getelementptr inbounds nuw [64 x i32], ptr %8, i64 %13
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %16 = getelementptr inbounds nuw [64 x i32], ptr %15, i64 %13
  br label %22

17:
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %19 = getelementptr inbounds nuw [64 x i32], ptr %18, i64 %13
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 184
  br label %78

22:
  %23 = phi i64 [ 0, %5 ], [ %75, %74 ]
  %24 = shl nuw nsw i64 1, %23
  %25 = and i64 %24, %2
  %26 = icmp eq i64 %25, 0
  br i1 %26, label %74, label %27

27:
  %28 = getelementptr inbounds nuw i32, ptr %11, i64 %23
  %29 = load i32, ptr %28, align 4
  %30 = and i32 %29, %12
  %31 = getelementptr inbounds nuw i32, ptr %7, i64 %23
  store i32 0, ptr %31, align 4
  %32 = getelementptr inbounds nuw i32, ptr %6, i64 %23
  store i32 0, ptr %32, align 4
  br label %33

33:
  %34 = phi i32 [ 0, %27 ], [ %69, %68 ]
  %35 = phi i32 [ 0, %27 ], [ %70, %68 ]
  %36 = phi i64 [ 0, %27 ], [ %72, %68 ]
  %37 = phi i32 [ 1, %27 ], [ %71, %68 ]
  %38 = trunc nuw nsw i64 %36 to i32
  %39 = shl nuw i32 1, %38
  %40 = and i32 %30, %39
  %41 = icmp eq i32 %40, 0
  br i1 %41, label %68, label %42

42:
  %43 = getelementptr inbounds nuw i32, ptr %14, i64 %36
  %44 = load i32, ptr %43, align 4
  %45 = icmp eq i32 %37, 0
  br i1 %45, label %46, label %63

46:
  switch i32 %4, label %61 [
    i32 1, label %47
    i32 2, label %49
    i32 3, label %51
    i32 4, label %53
    i32 5, label %55
    i32 6, label %57
    i32 7, label %59
  ]

47:
  %48 = tail call i32 @llvm.smin.i32(i32 %35, i32 %44)
  br label %63

49:
  %50 = tail call i32 @llvm.smax.i32(i32 %35, i32 %44)
  br label %63

51:
  %52 = tail call i32 @llvm.umin.i32(i32 %35, i32 %44)
  br label %63

53:
  %54 = tail call i32 @llvm.umax.i32(i32 %35, i32 %44)
  br label %63

55:
  %56 = and i32 %35, %44
  br label %63

57:
  %58 = or i32 %35, %44
  br label %63

59:
  %60 = xor i32 %35, %44
  br label %63

61:
  %62 = add i32 %35, %44
  br label %63

63:
  %64 = phi i32 [ %44, %42 ], [ %62, %61 ], [ %48, %47 ], [ %50, %49 ], [ %52, %51 ], [ %54, %53 ], [ %56, %55 ], [ %58, %57 ], [ %60, %59 ]
  store i32 %64, ptr %32, align 4
  %65 = getelementptr inbounds nuw i32, ptr %16, i64 %36
  %66 = load i32, ptr %65, align 4
  %67 = or i32 %34, %66
  store i32 %67, ptr %31, align 4
  br label %68

68:
  %69 = phi i32 [ %67, %63 ], [ %34, %33 ]
  %70 = phi i32 [ %64, %63 ], [ %35, %33 ]
  %71 = phi i32 [ 0, %63 ], [ %37, %33 ]
  %72 = add nuw nsw i64 %36, 1
  %73 = icmp eq i64 %72, 32
  br i1 %73, label %74, label %33

74:
  %75 = add nuw nsw i64 %23, 1
  %76 = icmp eq i64 %75, 32
  br i1 %76, label %17, label %22

77:
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  ret void

78:
  %79 = phi i64 [ 0, %17 ], [ %100, %99 ]
  %80 = shl nuw nsw i64 1, %79
  %81 = and i64 %80, %2
  %82 = icmp eq i64 %81, 0
  br i1 %82, label %99, label %83

83:
  %84 = getelementptr inbounds nuw i32, ptr %6, i64 %79
  %85 = load i32, ptr %84, align 4
  %86 = getelementptr inbounds nuw i32, ptr %7, i64 %79
  %87 = load i32, ptr %86, align 4
  %88 = icmp ne i32 %87, 0
  %89 = sext i1 %88 to i32
  %90 = getelementptr inbounds nuw i32, ptr %14, i64 %79
  store i32 %85, ptr %90, align 4
  %91 = getelementptr inbounds nuw i32, ptr %16, i64 %79
  store i32 %89, ptr %91, align 4
  %92 = getelementptr inbounds nuw i32, ptr %19, i64 %79
  store i32 0, ptr %92, align 4
  br i1 %88, label %93, label %99

93:
  %94 = load ptr, ptr %20, align 8
  %95 = getelementptr inbounds nuw i8, ptr %94, i64 128
  %96 = load i64, ptr %95, align 8
  %97 = icmp eq i64 %96, 0
  br i1 %97, label %98, label %99

98:
  store i32 2, ptr %21, align 8
  br label %99

99:
  %100 = add nuw nsw i64 %79, 1
  %101 = icmp eq i64 %100, 32
  br i1 %101, label %77, label %78
}

define void @lm_ptx_nth_set(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %6 = zext i32 %3 to i64
  %7 = getelementptr inbounds nuw [64 x i32], ptr %5, i64 %6
  %8 = add i32 %3, 1
  %9 = zext i32 %8 to i64
  %10 = getelementptr inbounds nuw [64 x i32], ptr %5, i64 %9
  %11 = add i32 %3, 2
  %12 = zext i32 %11 to i64
  %13 = getelementptr inbounds nuw [64 x i32], ptr %5, i64 %12
  br label %15

14:
  ret void

15:
  %16 = phi i64 [ 0, %4 ], [ %61, %60 ]
  %17 = shl nuw nsw i64 1, %16
  %18 = and i64 %17, %2
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %60, label %20

20:
  %21 = getelementptr inbounds nuw i32, ptr %7, i64 %16
  %22 = load i32, ptr %21, align 4
  %23 = getelementptr inbounds nuw i32, ptr %10, i64 %16
  %24 = load i32, ptr %23, align 4
  %25 = getelementptr inbounds nuw i32, ptr %13, i64 %16
  %26 = load i32, ptr %25, align 4
  %27 = icmp ult i32 %24, 32
  %28 = icmp ne i32 %26, -2147483648
  %29 = xor i1 %27, true
  %30 = select i1 %29, i1 true, i1 %28
  %31 = sext i1 %30 to i32
  %32 = icmp ugt i32 %24, 31
  %33 = icmp ne i32 %26, 0
  %34 = select i1 %32, i1 true, i1 %33
  %35 = shl nuw i32 1, %24
  %36 = and i32 %35, %22
  %37 = icmp eq i32 %36, 0
  %38 = select i1 %37, i32 -1, i32 %24
  %39 = select i1 %34, i32 %31, i32 %38
  %40 = select i1 %27, i1 %33, i1 false
  br i1 %40, label %41, label %58

41:
  %42 = tail call i32 @llvm.abs.i32(i32 %26, i1 false)
  %43 = icmp slt i32 %26, 1
  %44 = select i1 %43, i32 -1, i32 1
  br label %45

45:
  %46 = phi i32 [ %24, %41 ], [ %56, %54 ]
  %47 = phi i32 [ %42, %41 ], [ %55, %54 ]
  %48 = shl nuw i32 1, %46
  %49 = and i32 %48, %22
  %50 = icmp eq i32 %49, 0
  br i1 %50, label %54, label %51

51:
  %52 = add nsw i32 %47, -1
  %53 = icmp eq i32 %52, 0
  br i1 %53, label %58, label %54

54:
  %55 = phi i32 [ %52, %51 ], [ %47, %45 ]
  %56 = add nsw i32 %46, %44
  %57 = icmp ult i32 %56, 32
  br i1 %57, label %45, label %58

58:
  %59 = phi i32 [ %39, %20 ], [ %46, %51 ], [ %39, %54 ]
  store i32 %59, ptr %21, align 4
  br label %60

60:
  %61 = add nuw nsw i64 %16, 1
  %62 = icmp eq i64 %61, 32
  br i1 %62, label %14, label %15
}

define void @lm_ptx_matrix_load(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = alloca %struct.Range, align 8
  %8 = alloca %struct.Moved, align 4
  %9 = alloca %struct.Moved, align 4
  %10 = alloca %struct.Table, align 8
  %11 = alloca %struct.Access, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 136
  %15 = load ptr, ptr %14, align 8
  %16 = zext i32 %5 to i64
  %17 = getelementptr inbounds nuw ptr, ptr %15, i64 %16
  %18 = load ptr, ptr %17, align 8
  %19 = load i32, ptr %18, align 4
  store i32 %19, ptr %10, align 8
  %20 = getelementptr inbounds nuw i8, ptr %10, i64 4
  %21 = getelementptr inbounds nuw i8, ptr %18, i64 4
  %22 = load i32, ptr %21, align 4
  store i32 %22, ptr %20, align 4
  %23 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %24 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %25 = load i32, ptr %24, align 4
  store i32 %25, ptr %23, align 8
  %26 = getelementptr inbounds nuw i8, ptr %10, i64 12
  store i32 0, ptr %26, align 4
  %27 = getelementptr inbounds nuw i8, ptr %10, i64 16
  %28 = getelementptr inbounds nuw i8, ptr %18, i64 12
  store ptr %28, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %10, i64 24
  %30 = getelementptr inbounds nuw i8, ptr %10, i64 32
  %31 = mul i32 %22, 3
  %32 = zext i32 %31 to i64
  %33 = getelementptr inbounds nuw i32, ptr %28, i64 %32
  store ptr %33, ptr %29, align 8
  %34 = zext i32 %25 to i64
  %35 = getelementptr inbounds nuw i32, ptr %33, i64 %34
  store ptr %35, ptr %30, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  call void @begin_access(ptr dead_on_unwind nonnull writable sret(%struct.Access) align 8 %11, ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef 1, i32 noundef 16)
  %36 = icmp eq i32 %3, 0
  br i1 %36, label %70, label %37

37:
  %38 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %39 = getelementptr inbounds nuw i8, ptr %7, i64 12
  %40 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %41 = getelementptr inbounds nuw i8, ptr %7, i64 20
  %42 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %43 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %44 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %45 = getelementptr inbounds nuw i8, ptr %8, i64 32768
  %46 = getelementptr inbounds nuw i8, ptr %8, i64 65536
  %47 = zext i32 %3 to i64
  br label %48

48:
  %49 = phi i64 [ 0, %37 ], [ %68, %66 ]
  %50 = trunc nuw i64 %49 to i32
  %51 = shl i64 %49, 4
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  %52 = load ptr, ptr %11, align 8
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 12352
  %54 = getelementptr inbounds nuw i64, ptr %53, i64 %49
  %55 = load i64, ptr %54, align 8
  store i64 %55, ptr %7, align 8
  store i32 16, ptr %38, align 8
  store i32 0, ptr %39, align 4
  store i32 %50, ptr %40, align 8
  store i32 0, ptr %41, align 4
  %56 = and i64 %51, 4294967280
  %57 = getelementptr inbounds nuw i8, ptr %8, i64 %56
  store ptr %57, ptr %42, align 8
  %58 = getelementptr inbounds nuw i8, ptr %52, i64 16
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %43, i8 0, i64 24, i1 false)
  %59 = load ptr, ptr %58, align 8
  %60 = getelementptr inbounds nuw i8, ptr %59, i64 128
  %61 = load i64, ptr %60, align 8
  %62 = icmp eq i64 %61, 0
  br i1 %62, label %66, label %63

63:
  %64 = getelementptr inbounds nuw i8, ptr %45, i64 %56
  store ptr %64, ptr %43, align 8
  %65 = getelementptr inbounds nuw i32, ptr %46, i64 %56
  store ptr %65, ptr %44, align 8
  br label %66

66:
  %67 = call i32 @access(ptr noundef nonnull %11, ptr noundef nonnull %7)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  %68 = add nuw nsw i64 %49, 1
  %69 = icmp eq i64 %68, %47
  br i1 %69, label %70, label %48

70:
  %71 = shl i32 %4, 5
  call void @follow(ptr noundef %0, ptr noundef nonnull %10, i32 noundef %71, ptr noundef nonnull %8, ptr noundef nonnull %9, i32 noundef 0, i32 noundef 0)
  %72 = icmp eq i32 %4, 0
  %73 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %74 = getelementptr inbounds nuw i8, ptr %9, i64 32768
  %75 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %76 = getelementptr inbounds nuw i8, ptr %9, i64 65536
  %77 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %78 = zext i32 %4 to i64
  br label %79

79:
  %80 = phi i64 [ 0, %70 ], [ %90, %89 ]
  br i1 %72, label %89, label %81

81:
  %82 = trunc nuw i64 %80 to i32
  %83 = mul i32 %4, %82
  %84 = getelementptr inbounds nuw i32, ptr %73, i64 %80
  %85 = load ptr, ptr %12, align 8
  %86 = getelementptr inbounds nuw i8, ptr %85, i64 128
  %87 = getelementptr inbounds nuw i32, ptr %75, i64 %80
  %88 = getelementptr inbounds nuw i32, ptr %77, i64 %80
  br label %92

89:
  %90 = add nuw nsw i64 %80, 1
  %91 = icmp eq i64 %90, 32
  br i1 %91, label %127, label %79

92:
  %93 = phi i64 [ 0, %81 ], [ %125, %124 ]
  %94 = trunc nuw i64 %93 to i32
  %95 = add i32 %83, %94
  %96 = shl i32 %95, 2
  %97 = getelementptr inbounds nuw [64 x i32], ptr %84, i64 %93
  %98 = zext i32 %96 to i64
  %99 = getelementptr inbounds nuw i8, ptr %9, i64 %98
  %100 = load i32, ptr %99, align 4
  store i32 %100, ptr %97, align 4
  %101 = load i64, ptr %86, align 8
  %102 = icmp eq i64 %101, 0
  br i1 %102, label %124, label %103

103:
  %104 = getelementptr inbounds nuw i8, ptr %74, i64 %98
  %105 = load i32, ptr %104, align 4
  %106 = getelementptr inbounds nuw [64 x i32], ptr %87, i64 %93
  store i32 %105, ptr %106, align 4
  br label %109

107:
  %108 = getelementptr inbounds nuw [64 x i32], ptr %88, i64 %93
  store i32 %119, ptr %108, align 4
  br label %124

109:
  %110 = phi i64 [ 0, %103 ], [ %120, %118 ]
  %111 = or disjoint i64 %110, %98
  %112 = getelementptr inbounds nuw i8, ptr %74, i64 %111
  %113 = load i8, ptr %112, align 1
  %114 = icmp eq i8 %113, 0
  br i1 %114, label %118, label %115

115:
  %116 = getelementptr inbounds nuw i32, ptr %76, i64 %111
  %117 = load i32, ptr %116, align 4
  br label %118

118:
  %119 = phi i32 [ %117, %115 ], [ 0, %109 ]
  %120 = add nuw nsw i64 %110, 1
  %121 = icmp samesign ult i64 %110, 3
  %122 = icmp eq i32 %119, 0
  %123 = select i1 %121, i1 %122, i1 false
  br i1 %123, label %109, label %107

124:
  %125 = add nuw nsw i64 %93, 1
  %126 = icmp eq i64 %125, %78
  br i1 %126, label %89, label %92

127:
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  ret void
}

define void @table_of(ptr dead_on_unwind noalias writable writeonly sret(%struct.Table) align 8 captures(none) initializes((0, 40)) %0, ptr noundef readonly captures(none) %1, i32 noundef %2) local_unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 136
  %7 = load ptr, ptr %6, align 8
  %8 = zext i32 %2 to i64
  %9 = getelementptr inbounds nuw ptr, ptr %7, i64 %8
  %10 = load ptr, ptr %9, align 8
  %11 = load i32, ptr %10, align 4
  store i32 %11, ptr %0, align 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %13 = getelementptr inbounds nuw i8, ptr %10, i64 4
  %14 = load i32, ptr %13, align 4
  store i32 %14, ptr %12, align 4
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %16 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %17 = load i32, ptr %16, align 4
  store i32 %17, ptr %15, align 8
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 12
  store i32 0, ptr %18, align 4
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %20 = getelementptr inbounds nuw i8, ptr %10, i64 12
  store ptr %20, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %23 = mul i32 %14, 3
  %24 = zext i32 %23 to i64
  %25 = getelementptr inbounds nuw i32, ptr %20, i64 %24
  store ptr %25, ptr %21, align 8
  %26 = zext i32 %17 to i64
  %27 = getelementptr inbounds nuw i32, ptr %25, i64 %26
  store ptr %27, ptr %22, align 8
  ret void
}

define void @follow(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, ptr noundef readonly captures(none) %3, ptr noundef captures(none) %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr {
  tail call fastcc void @follow_plane(ptr noundef %1, i32 noundef %2, ptr noundef %3, ptr noundef %4)
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 128
  %11 = load i64, ptr %10, align 8
  %12 = icmp eq i64 %11, 0
  %13 = icmp eq i32 %5, 0
  %14 = and i1 %13, %12
  br i1 %14, label %124, label %15

15:
  br i1 %12, label %19, label %16

16:
  %17 = getelementptr inbounds nuw i8, ptr %3, i64 32768
  %18 = getelementptr inbounds nuw i8, ptr %4, i64 32768
  tail call fastcc void @follow_plane(ptr noundef %1, i32 noundef %2, ptr noundef nonnull %17, ptr noundef nonnull %18)
  br label %23

19:
  %20 = getelementptr inbounds nuw i8, ptr %4, i64 32768
  %21 = shl i32 %2, 2
  %22 = zext i32 %21 to i64
  tail call void @llvm.memset.p0.i64(ptr nonnull align 1 %20, i8 0, i64 %22, i1 false)
  br label %23

23:
  %24 = icmp eq i32 %5, 1
  br i1 %24, label %25, label %65

25:
  %26 = load i32, ptr %1, align 8
  %27 = udiv i32 32, %26
  %28 = mul i32 %27, %2
  %29 = icmp eq i32 %28, 0
  br i1 %29, label %65, label %30

30:
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %32 = getelementptr inbounds nuw i8, ptr %4, i64 32768
  %33 = zext i32 %28 to i64
  br label %34

34:
  %35 = phi i32 [ %26, %30 ], [ %62, %61 ]
  %36 = phi i64 [ 0, %30 ], [ %63, %61 ]
  %37 = load ptr, ptr %31, align 8
  %38 = getelementptr inbounds nuw i32, ptr %37, i64 %36
  %39 = load i32, ptr %38, align 4
  %40 = icmp eq i32 %39, -1
  br i1 %40, label %41, label %61

41:
  %42 = trunc i64 %36 to i32
  %43 = mul i32 %35, %42
  %44 = add nuw i32 %42, 1
  %45 = mul i32 %44, %35
  %46 = icmp ult i32 %43, %45
  br i1 %46, label %47, label %61

47:
  %48 = phi i32 [ %57, %47 ], [ %43, %41 ]
  %49 = and i32 %48, 7
  %50 = shl nuw nsw i32 1, %49
  %51 = lshr i32 %48, 3
  %52 = zext nneg i32 %51 to i64
  %53 = getelementptr inbounds nuw i8, ptr %32, i64 %52
  %54 = load i8, ptr %53, align 1
  %55 = trunc nuw i32 %50 to i8
  %56 = or i8 %54, %55
  store i8 %56, ptr %53, align 1
  %57 = add nuw i32 %48, 1
  %58 = load i32, ptr %1, align 8
  %59 = mul i32 %58, %44
  %60 = icmp ult i32 %57, %59
  br i1 %60, label %47, label %61

61:
  %62 = phi i32 [ %35, %34 ], [ %35, %41 ], [ %58, %47 ]
  %63 = add nuw nsw i64 %36, 1
  %64 = icmp samesign ult i64 %63, %33
  br i1 %64, label %34, label %65

65:
  %66 = load ptr, ptr %8, align 8
  %67 = getelementptr inbounds nuw i8, ptr %66, i64 128
  %68 = load i64, ptr %67, align 8
  %69 = icmp eq i64 %68, 0
  br i1 %69, label %124, label %70

70:
  %71 = shl i32 %2, 2
  %72 = icmp eq i32 %71, 0
  br i1 %72, label %124, label %73

73:
  %74 = getelementptr inbounds nuw i8, ptr %4, i64 32768
  %75 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %76 = getelementptr inbounds nuw i8, ptr %3, i64 32768
  %77 = getelementptr inbounds nuw i8, ptr %3, i64 65536
  %78 = getelementptr inbounds nuw i8, ptr %4, i64 65536
  %79 = zext i32 %71 to i64
  br label %80

80:
  %81 = phi i64 [ 0, %73 ], [ %122, %119 ]
  %82 = getelementptr inbounds nuw i8, ptr %74, i64 %81
  %83 = load i8, ptr %82, align 1
  %84 = icmp eq i8 %83, 0
  br i1 %84, label %119, label %85

85:
  %86 = trunc nuw i64 %81 to i32
  %87 = shl i32 %86, 3
  %88 = load i32, ptr %1, align 8
  %89 = udiv i32 %87, %88
  %90 = urem i32 %87, %88
  %91 = or disjoint i32 %87, 7
  %92 = udiv i32 %91, %88
  %93 = icmp ugt i32 %89, %92
  br i1 %93, label %119, label %94

94:
  %95 = load ptr, ptr %75, align 8
  %96 = icmp ugt i32 %88, 8
  br label %97

97:
  %98 = phi i32 [ %89, %94 ], [ %117, %116 ]
  %99 = zext i32 %98 to i64
  %100 = getelementptr inbounds nuw i32, ptr %95, i64 %99
  %101 = load i32, ptr %100, align 4
  %102 = icmp eq i32 %101, -1
  br i1 %102, label %103, label %104

103:
  br i1 %24, label %119, label %116

104:
  %105 = mul i32 %101, %88
  %106 = select i1 %96, i32 %90, i32 0
  %107 = add i32 %106, %105
  %108 = lshr i32 %107, 3
  %109 = zext nneg i32 %108 to i64
  %110 = getelementptr inbounds nuw i8, ptr %76, i64 %109
  %111 = load i8, ptr %110, align 1
  %112 = icmp eq i8 %111, 0
  br i1 %112, label %116, label %113

113:
  %114 = getelementptr inbounds nuw i32, ptr %77, i64 %109
  %115 = load i32, ptr %114, align 4
  br label %119

116:
  %117 = add i32 %98, 1
  %118 = icmp ugt i32 %117, %92
  br i1 %118, label %119, label %97

119:
  %120 = phi i32 [ 0, %80 ], [ %115, %113 ], [ 0, %85 ], [ %6, %103 ], [ 0, %116 ]
  %121 = getelementptr inbounds nuw i32, ptr %78, i64 %81
  store i32 %120, ptr %121, align 4
  %122 = add nuw nsw i64 %81, 1
  %123 = icmp eq i64 %122, %79
  br i1 %123, label %124, label %80

124:
  ret void
}

define void @give_rows(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, ptr noundef readonly captures(none) %4) local_unnamed_addr {
  %6 = icmp eq i32 %2, 0
  br i1 %6, label %27, label %7

7:
  %8 = icmp eq i32 %3, 0
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = getelementptr inbounds nuw i8, ptr %4, i64 32768
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %13 = getelementptr inbounds nuw i8, ptr %4, i64 65536
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %15 = zext i32 %2 to i64
  %16 = zext i32 %3 to i64
  br label %17

17:
  %18 = phi i64 [ 0, %7 ], [ %29, %28 ]
  br i1 %8, label %28, label %19

19:
  %20 = trunc nuw i64 %18 to i32
  %21 = mul i32 %3, %20
  %22 = getelementptr inbounds nuw i32, ptr %9, i64 %18
  %23 = load ptr, ptr %10, align 8
  %24 = getelementptr inbounds nuw i8, ptr %23, i64 128
  %25 = getelementptr inbounds nuw i32, ptr %12, i64 %18
  %26 = getelementptr inbounds nuw i32, ptr %14, i64 %18
  br label %31

27:
  ret void

28:
  %29 = add nuw nsw i64 %18, 1
  %30 = icmp eq i64 %29, %15
  br i1 %30, label %27, label %17

31:
  %32 = phi i64 [ 0, %19 ], [ %66, %65 ]
  %33 = trunc nuw i64 %32 to i32
  %34 = add i32 %21, %33
  %35 = shl i32 %34, 2
  %36 = add i32 %1, %33
  %37 = zext i32 %36 to i64
  %38 = getelementptr inbounds nuw [64 x i32], ptr %22, i64 %37
  %39 = zext i32 %35 to i64
  %40 = getelementptr inbounds nuw i8, ptr %4, i64 %39
  %41 = load i32, ptr %40, align 1
  store i32 %41, ptr %38, align 4
  %42 = load i64, ptr %24, align 8
  %43 = icmp eq i64 %42, 0
  br i1 %43, label %65, label %44

44:
  %45 = getelementptr inbounds nuw i8, ptr %11, i64 %39
  %46 = load i32, ptr %45, align 1
  %47 = getelementptr inbounds nuw [64 x i32], ptr %25, i64 %37
  store i32 %46, ptr %47, align 4
  br label %50

48:
  %49 = getelementptr inbounds nuw [64 x i32], ptr %26, i64 %37
  store i32 %60, ptr %49, align 4
  br label %65

50:
  %51 = phi i64 [ 0, %44 ], [ %61, %59 ]
  %52 = or disjoint i64 %51, %39
  %53 = getelementptr inbounds nuw i8, ptr %11, i64 %52
  %54 = load i8, ptr %53, align 1
  %55 = icmp eq i8 %54, 0
  br i1 %55, label %59, label %56

56:
  %57 = getelementptr inbounds nuw i32, ptr %13, i64 %52
  %58 = load i32, ptr %57, align 4
  br label %59

59:
  %60 = phi i32 [ %58, %56 ], [ 0, %50 ]
  %61 = add nuw nsw i64 %51, 1
  %62 = icmp samesign ult i64 %51, 3
  %63 = icmp eq i32 %60, 0
  %64 = select i1 %62, i1 %63, i1 false
  br i1 %64, label %50, label %48

65:
  %66 = add nuw nsw i64 %32, 1
  %67 = icmp eq i64 %66, %16
  br i1 %67, label %28, label %31
}

define void @lm_ptx_matrix_store(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = alloca %struct.Moved, align 4
  %8 = alloca %struct.Moved, align 4
  %9 = alloca %struct.Table, align 8
  %10 = alloca %struct.Access, align 8
  %11 = alloca %struct.Range, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 136
  %15 = load ptr, ptr %14, align 8
  %16 = zext i32 %5 to i64
  %17 = getelementptr inbounds nuw ptr, ptr %15, i64 %16
  %18 = load ptr, ptr %17, align 8
  %19 = load i32, ptr %18, align 4
  store i32 %19, ptr %9, align 8
  %20 = getelementptr inbounds nuw i8, ptr %9, i64 4
  %21 = getelementptr inbounds nuw i8, ptr %18, i64 4
  %22 = load i32, ptr %21, align 4
  store i32 %22, ptr %20, align 4
  %23 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %24 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %25 = load i32, ptr %24, align 4
  store i32 %25, ptr %23, align 8
  %26 = getelementptr inbounds nuw i8, ptr %9, i64 12
  store i32 0, ptr %26, align 4
  %27 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %28 = getelementptr inbounds nuw i8, ptr %18, i64 12
  store ptr %28, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %30 = getelementptr inbounds nuw i8, ptr %9, i64 32
  %31 = mul i32 %22, 3
  %32 = zext i32 %31 to i64
  %33 = getelementptr inbounds nuw i32, ptr %28, i64 %32
  store ptr %33, ptr %29, align 8
  %34 = zext i32 %25 to i64
  %35 = getelementptr inbounds nuw i32, ptr %33, i64 %34
  store ptr %35, ptr %30, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  call void @begin_access(ptr dead_on_unwind nonnull writable sret(%struct.Access) align 8 %10, ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef 2, i32 noundef 16)
  %36 = icmp eq i32 %4, 0
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %38 = getelementptr inbounds nuw i8, ptr %7, i64 32768
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %41 = getelementptr inbounds nuw i8, ptr %7, i64 65536
  %42 = zext i32 %4 to i64
  br label %43

43:
  %44 = phi i64 [ 0, %6 ], [ %56, %55 ]
  br i1 %36, label %55, label %45

45:
  %46 = trunc nuw i64 %44 to i32
  %47 = mul i32 %4, %46
  %48 = getelementptr inbounds nuw i32, ptr %37, i64 %44
  %49 = getelementptr inbounds nuw i32, ptr %39, i64 %44
  %50 = getelementptr inbounds nuw i32, ptr %40, i64 %44
  %51 = load ptr, ptr %12, align 8
  %52 = getelementptr inbounds nuw i8, ptr %51, i64 128
  %53 = load i64, ptr %52, align 8
  %54 = icmp eq i64 %53, 0
  br label %58

55:
  %56 = add nuw nsw i64 %44, 1
  %57 = icmp eq i64 %56, 32
  br i1 %57, label %82, label %43

58:
  %59 = phi i64 [ 0, %45 ], [ %75, %74 ]
  %60 = trunc nuw i64 %59 to i32
  %61 = add i32 %47, %60
  %62 = shl i32 %61, 2
  %63 = zext i32 %62 to i64
  %64 = getelementptr inbounds nuw i8, ptr %7, i64 %63
  %65 = getelementptr inbounds nuw [64 x i32], ptr %48, i64 %59
  %66 = load i32, ptr %65, align 4
  store i32 %66, ptr %64, align 4
  %67 = getelementptr inbounds nuw i8, ptr %38, i64 %63
  %68 = getelementptr inbounds nuw [64 x i32], ptr %49, i64 %59
  %69 = load i32, ptr %68, align 4
  store i32 %69, ptr %67, align 4
  br i1 %54, label %74, label %70

70:
  %71 = getelementptr inbounds nuw [64 x i32], ptr %50, i64 %59
  %72 = load i32, ptr %71, align 4
  %73 = getelementptr inbounds nuw i32, ptr %41, i64 %63
  br label %77

74:
  %75 = add nuw nsw i64 %59, 1
  %76 = icmp eq i64 %75, %42
  br i1 %76, label %55, label %58

77:
  %78 = phi i64 [ 0, %70 ], [ %80, %77 ]
  %79 = getelementptr inbounds nuw i32, ptr %73, i64 %78
  store i32 %72, ptr %79, align 4
  %80 = add nuw nsw i64 %78, 1
  %81 = icmp eq i64 %80, 4
  br i1 %81, label %74, label %77

82:
  %83 = load ptr, ptr %12, align 8
  %84 = getelementptr inbounds nuw i8, ptr %83, i64 128
  %85 = load i64, ptr %84, align 8
  %86 = icmp eq i64 %85, 0
  br i1 %86, label %87, label %104

87:
  %88 = shl i32 %4, 7
  %89 = icmp eq i32 %88, 0
  br i1 %89, label %104, label %90

90:
  %91 = zext i32 %88 to i64
  br label %92

92:
  %93 = phi i64 [ 0, %90 ], [ %98, %92 ]
  %94 = phi i8 [ 0, %90 ], [ %97, %92 ]
  %95 = getelementptr inbounds nuw i8, ptr %38, i64 %93
  %96 = load i8, ptr %95, align 1
  %97 = or i8 %96, %94
  %98 = add nuw nsw i64 %93, 1
  %99 = icmp eq i64 %98, %91
  br i1 %99, label %100, label %92

100:
  %101 = icmp eq i8 %97, 0
  br i1 %101, label %104, label %102

102:
  %103 = getelementptr inbounds nuw i8, ptr %0, i64 184
  store i32 2, ptr %103, align 8
  br label %139

104:
  %105 = shl i32 %3, 2
  %106 = and i32 %105, 1073741820
  call void @follow(ptr noundef nonnull %0, ptr noundef nonnull %9, i32 noundef %106, ptr noundef nonnull %7, ptr noundef nonnull %8, i32 noundef 0, i32 noundef 0)
  %107 = icmp eq i32 %3, 0
  br i1 %107, label %139, label %108

108:
  %109 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %110 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %111 = getelementptr inbounds nuw i8, ptr %11, i64 12
  %112 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %113 = getelementptr inbounds nuw i8, ptr %11, i64 20
  %114 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %115 = getelementptr inbounds nuw i8, ptr %11, i64 32
  %116 = getelementptr inbounds nuw i8, ptr %11, i64 40
  %117 = getelementptr inbounds nuw i8, ptr %8, i64 32768
  %118 = getelementptr inbounds nuw i8, ptr %8, i64 65536
  %119 = zext i32 %3 to i64
  br label %120

120:
  %121 = phi i64 [ 0, %108 ], [ %137, %135 ]
  %122 = trunc nuw i64 %121 to i32
  %123 = shl i64 %121, 4
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  %124 = getelementptr inbounds nuw i64, ptr %109, i64 %121
  %125 = load i64, ptr %124, align 8
  store i64 %125, ptr %11, align 8
  store i32 16, ptr %110, align 8
  store i32 0, ptr %111, align 4
  store i32 %122, ptr %112, align 8
  store i32 0, ptr %113, align 4
  %126 = and i64 %123, 4294967280
  %127 = getelementptr inbounds nuw i8, ptr %8, i64 %126
  store ptr %127, ptr %114, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %115, i8 0, i64 24, i1 false)
  %128 = load ptr, ptr %12, align 8
  %129 = getelementptr inbounds nuw i8, ptr %128, i64 128
  %130 = load i64, ptr %129, align 8
  %131 = icmp eq i64 %130, 0
  br i1 %131, label %135, label %132

132:
  %133 = getelementptr inbounds nuw i8, ptr %117, i64 %126
  store ptr %133, ptr %115, align 8
  %134 = getelementptr inbounds nuw i32, ptr %118, i64 %126
  store ptr %134, ptr %116, align 8
  br label %135

135:
  %136 = call i32 @access(ptr noundef nonnull %10, ptr noundef nonnull %11)
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  %137 = add nuw nsw i64 %121, 1
  %138 = icmp eq i64 %137, %119
  br i1 %138, label %139, label %120

139:
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  ret void
}

define void @take_rows(ptr noundef readonly captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, ptr noundef writeonly captures(none) %4) local_unnamed_addr {
  %6 = icmp eq i32 %2, 0
  br i1 %6, label %25, label %7

7:
  %8 = icmp eq i32 %3, 0
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %10 = getelementptr inbounds nuw i8, ptr %4, i64 32768
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %14 = getelementptr inbounds nuw i8, ptr %4, i64 65536
  %15 = zext i32 %2 to i64
  %16 = zext i32 %3 to i64
  br label %17

17:
  %18 = phi i64 [ 0, %7 ], [ %27, %26 ]
  br i1 %8, label %26, label %19

19:
  %20 = trunc nuw i64 %18 to i32
  %21 = mul i32 %3, %20
  %22 = getelementptr inbounds nuw i32, ptr %9, i64 %18
  %23 = getelementptr inbounds nuw i32, ptr %11, i64 %18
  %24 = getelementptr inbounds nuw i32, ptr %13, i64 %18
  br label %29

25:
  ret void

26:
  %27 = add nuw nsw i64 %18, 1
  %28 = icmp eq i64 %27, %15
  br i1 %28, label %25, label %17

29:
  %30 = phi i64 [ 0, %19 ], [ %52, %51 ]
  %31 = trunc nuw i64 %30 to i32
  %32 = add i32 %21, %31
  %33 = shl i32 %32, 2
  %34 = zext i32 %33 to i64
  %35 = getelementptr inbounds nuw i8, ptr %4, i64 %34
  %36 = add i32 %1, %31
  %37 = zext i32 %36 to i64
  %38 = getelementptr inbounds nuw [64 x i32], ptr %22, i64 %37
  %39 = load i32, ptr %38, align 4
  store i32 %39, ptr %35, align 1
  %40 = getelementptr inbounds nuw i8, ptr %10, i64 %34
  %41 = getelementptr inbounds nuw [64 x i32], ptr %23, i64 %37
  %42 = load i32, ptr %41, align 4
  store i32 %42, ptr %40, align 1
  %43 = load ptr, ptr %12, align 8
  %44 = getelementptr inbounds nuw i8, ptr %43, i64 128
  %45 = load i64, ptr %44, align 8
  %46 = icmp eq i64 %45, 0
  br i1 %46, label %51, label %47

47:
  %48 = getelementptr inbounds nuw [64 x i32], ptr %24, i64 %37
  %49 = load i32, ptr %48, align 4
  %50 = getelementptr inbounds nuw i32, ptr %14, i64 %34
  br label %54

51:
  %52 = add nuw nsw i64 %30, 1
  %53 = icmp eq i64 %52, %16
  br i1 %53, label %26, label %29

54:
  %55 = phi i64 [ 0, %47 ], [ %57, %54 ]
  %56 = getelementptr inbounds nuw i32, ptr %50, i64 %55
  store i32 %49, ptr %56, align 4
  %57 = add nuw nsw i64 %55, 1
  %58 = icmp eq i64 %57, 4
  br i1 %58, label %51, label %54
}

define void @lm_ptx_matrix_move(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = alloca %struct.Moved, align 4
  %5 = alloca %struct.Moved, align 4
  %6 = alloca %struct.Table, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %4)
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 136
  %10 = load ptr, ptr %9, align 8
  %11 = zext i32 %2 to i64
  %12 = getelementptr inbounds nuw ptr, ptr %10, i64 %11
  %13 = load ptr, ptr %12, align 8
  %14 = load i32, ptr %13, align 4
  store i32 %14, ptr %6, align 8
  %15 = getelementptr inbounds nuw i8, ptr %6, i64 4
  %16 = getelementptr inbounds nuw i8, ptr %13, i64 4
  %17 = load i32, ptr %16, align 4
  store i32 %17, ptr %15, align 4
  %18 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %19 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %20 = load i32, ptr %19, align 4
  store i32 %20, ptr %18, align 8
  %21 = getelementptr inbounds nuw i8, ptr %6, i64 12
  store i32 0, ptr %21, align 4
  %22 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %23 = getelementptr inbounds nuw i8, ptr %13, i64 12
  store ptr %23, ptr %22, align 8
  %24 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %25 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %26 = mul i32 %17, 3
  %27 = zext i32 %26 to i64
  %28 = getelementptr inbounds nuw i32, ptr %23, i64 %27
  store ptr %28, ptr %24, align 8
  %29 = zext i32 %20 to i64
  %30 = getelementptr inbounds nuw i32, ptr %28, i64 %29
  store ptr %30, ptr %25, align 8
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %32 = getelementptr inbounds nuw i8, ptr %4, i64 32768
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %35 = getelementptr inbounds nuw i8, ptr %4, i64 65536
  %36 = getelementptr inbounds nuw i8, ptr %8, i64 128
  %37 = load i64, ptr %36, align 8
  %38 = icmp eq i64 %37, 0
  br label %39

39:
  %40 = phi i64 [ 0, %3 ], [ %56, %55 ]
  %41 = getelementptr inbounds nuw i32, ptr %31, i64 %40
  %42 = getelementptr inbounds nuw i32, ptr %33, i64 %40
  %43 = shl i64 %40, 2
  %44 = getelementptr inbounds nuw i8, ptr %4, i64 %43
  %45 = load i32, ptr %41, align 4
  store i32 %45, ptr %44, align 4
  %46 = getelementptr inbounds nuw i8, ptr %32, i64 %43
  %47 = load i32, ptr %42, align 4
  store i32 %47, ptr %46, align 4
  br i1 %38, label %52, label %48

48:
  %49 = getelementptr inbounds nuw i32, ptr %34, i64 %40
  %50 = load i32, ptr %49, align 4
  %51 = getelementptr inbounds nuw i32, ptr %35, i64 %43
  br label %60

52:
  %53 = add nuw nsw i64 %40, 1
  %54 = icmp eq i64 %53, 32
  br i1 %54, label %65, label %55

55:
  %56 = phi i64 [ %53, %52 ], [ %58, %57 ]
  br label %39

57:
  %58 = add nuw nsw i64 %40, 1
  %59 = icmp eq i64 %58, 32
  br i1 %59, label %77, label %55

60:
  %61 = phi i64 [ 0, %48 ], [ %63, %60 ]
  %62 = getelementptr inbounds nuw i32, ptr %51, i64 %61
  store i32 %50, ptr %62, align 4
  %63 = add nuw nsw i64 %61, 1
  %64 = icmp eq i64 %63, 4
  br i1 %64, label %57, label %60

65:
  %66 = phi i64 [ %71, %65 ], [ 0, %52 ]
  %67 = phi i8 [ %70, %65 ], [ 0, %52 ]
  %68 = getelementptr inbounds nuw i8, ptr %32, i64 %66
  %69 = load i8, ptr %68, align 1
  %70 = or i8 %69, %67
  %71 = add nuw nsw i64 %66, 1
  %72 = icmp eq i64 %71, 128
  br i1 %72, label %73, label %65

73:
  %74 = icmp eq i8 %70, 0
  br i1 %74, label %77, label %75

75:
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 184
  store i32 2, ptr %76, align 8
  br label %77

77:
  call void @follow(ptr noundef nonnull %0, ptr noundef nonnull %6, i32 noundef 32, ptr noundef nonnull %4, ptr noundef nonnull %5, i32 noundef 0, i32 noundef 0)
  %78 = getelementptr inbounds nuw i8, ptr %5, i64 32768
  %79 = getelementptr inbounds nuw i8, ptr %5, i64 65536
  br label %80

80:
  %81 = phi i64 [ 0, %77 ], [ %110, %109 ]
  %82 = getelementptr inbounds nuw i32, ptr %31, i64 %81
  %83 = getelementptr inbounds nuw i32, ptr %34, i64 %81
  %84 = shl i64 %81, 2
  %85 = getelementptr inbounds nuw i8, ptr %5, i64 %84
  %86 = load i32, ptr %85, align 4
  store i32 %86, ptr %82, align 4
  %87 = load i64, ptr %36, align 8
  %88 = icmp eq i64 %87, 0
  br i1 %88, label %109, label %89

89:
  %90 = getelementptr inbounds nuw i32, ptr %33, i64 %81
  %91 = getelementptr inbounds nuw i8, ptr %78, i64 %84
  %92 = load i32, ptr %91, align 4
  store i32 %92, ptr %90, align 4
  br label %94

93:
  store i32 %104, ptr %83, align 4
  br label %109

94:
  %95 = phi i64 [ 0, %89 ], [ %105, %103 ]
  %96 = or disjoint i64 %95, %84
  %97 = getelementptr inbounds nuw i8, ptr %78, i64 %96
  %98 = load i8, ptr %97, align 1
  %99 = icmp eq i8 %98, 0
  br i1 %99, label %103, label %100

100:
  %101 = getelementptr inbounds nuw i32, ptr %79, i64 %96
  %102 = load i32, ptr %101, align 4
  br label %103

103:
  %104 = phi i32 [ %102, %100 ], [ 0, %94 ]
  %105 = add nuw nsw i64 %95, 1
  %106 = icmp samesign ult i64 %95, 3
  %107 = icmp eq i32 %104, 0
  %108 = select i1 %106, i1 %107, i1 false
  br i1 %108, label %94, label %93

109:
  %110 = add nuw nsw i64 %81, 1
  %111 = icmp eq i64 %110, 32
  br i1 %111, label %112, label %80

112:
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  call void @llvm.lifetime.end.p0(ptr nonnull %4)
  ret void
}

define void @lm_ptx_release(ptr noundef readonly captures(none) %0, i64 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = icmp eq i64 %1, 0
  br i1 %4, label %155, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 128
  %9 = load ptr, ptr %8, align 8
  %10 = load ptr, ptr %0, align 8
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 120
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %14 = load i32, ptr %13, align 4
  %15 = zext i32 %14 to i64
  %16 = getelementptr inbounds nuw i8, ptr %10, i64 112
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %19 = load i32, ptr %18, align 8
  %20 = zext i32 %19 to i64
  %21 = mul i64 %17, %20
  %22 = add i64 %21, 3
  %23 = mul i64 %22, %15
  %24 = getelementptr inbounds nuw i64, ptr %12, i64 %23
  %25 = tail call i64 @llvm.umin.i64(i64 %17, i64 7)
  %26 = mul nuw nsw i64 %25, %20
  %27 = add nuw nsw i64 %26, 2
  br label %28

28:
  %29 = phi i64 [ %37, %36 ], [ 0, %5 ]
  %30 = getelementptr inbounds nuw i64, ptr %24, i64 %29
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds nuw i64, ptr %9, i64 %29
  %33 = load i64, ptr %32, align 8
  %34 = icmp ugt i64 %31, %33
  br i1 %34, label %35, label %36

35:
  store i64 %31, ptr %32, align 8
  br label %36

36:
  %37 = add nuw nsw i64 %29, 1
  %38 = icmp eq i64 %29, %27
  br i1 %38, label %39, label %28

39:
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %41 = load ptr, ptr %40, align 8
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 144
  %43 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %45 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %46 = getelementptr inbounds nuw i64, ptr %45, i64 %15
  br label %70

47:
  %48 = getelementptr inbounds nuw i8, ptr %10, i64 128
  %49 = load ptr, ptr %48, align 8
  %50 = icmp eq ptr %49, null
  br i1 %50, label %85, label %51

51:
  %52 = mul nuw nsw i64 %20, 56
  %53 = getelementptr inbounds nuw i8, ptr %45, i64 %52
  %54 = shl nuw nsw i64 %15, 3
  %55 = mul i64 %54, %20
  %56 = getelementptr inbounds nuw i64, ptr %49, i64 %55
  %57 = shl nuw nsw i64 %20, 2
  %58 = icmp eq i32 %19, 0
  br i1 %58, label %85, label %59

59:
  %60 = phi i64 [ %68, %67 ], [ 0, %51 ]
  %61 = getelementptr inbounds nuw i64, ptr %56, i64 %60
  %62 = load i64, ptr %61, align 8
  %63 = getelementptr inbounds nuw i64, ptr %53, i64 %60
  %64 = load i64, ptr %63, align 8
  %65 = icmp ugt i64 %62, %64
  br i1 %65, label %66, label %67

66:
  store i64 %62, ptr %63, align 8
  br label %67

67:
  %68 = add nuw nsw i64 %60, 1
  %69 = icmp eq i64 %68, %57
  br i1 %69, label %85, label %59

70:
  %71 = phi i1 [ true, %39 ], [ false, %84 ]
  %72 = phi i64 [ 0, %39 ], [ 1, %84 ]
  %73 = load i64, ptr %42, align 8
  %74 = icmp ne i64 %73, 0
  %75 = or i1 %71, %74
  %76 = getelementptr inbounds nuw i64, ptr %43, i64 %72
  %77 = select i1 %75, ptr %76, ptr %44
  %78 = load i64, ptr %77, align 8
  %79 = mul nuw nsw i64 %72, %20
  %80 = getelementptr inbounds nuw i64, ptr %46, i64 %79
  %81 = load i64, ptr %80, align 8
  %82 = icmp ugt i64 %78, %81
  br i1 %82, label %83, label %84

83:
  store i64 %78, ptr %80, align 8
  br label %84

84:
  br i1 %71, label %70, label %47

85:
  %86 = icmp eq i32 %2, 0
  br i1 %86, label %155, label %87

87:
  %88 = getelementptr inbounds nuw i8, ptr %10, i64 12
  %89 = load i32, ptr %88, align 4
  %90 = icmp ugt i32 %89, 1
  br i1 %90, label %91, label %151

91:
  %92 = getelementptr inbounds nuw i8, ptr %10, i64 192
  %93 = load ptr, ptr %92, align 8
  %94 = load i64, ptr %16, align 8
  %95 = mul i64 %94, %20
  %96 = add i64 %95, 3
  %97 = mul i64 %96, %15
  %98 = getelementptr inbounds nuw i64, ptr %12, i64 %97
  %99 = tail call i64 @llvm.umin.i64(i64 %94, i64 7)
  %100 = mul nuw nsw i64 %99, %20
  %101 = add nuw nsw i64 %100, 2
  br label %102

102:
  %103 = phi i64 [ %111, %110 ], [ 0, %91 ]
  %104 = getelementptr inbounds nuw i64, ptr %98, i64 %103
  %105 = load i64, ptr %104, align 8
  %106 = getelementptr inbounds nuw i64, ptr %93, i64 %103
  %107 = load i64, ptr %106, align 8
  %108 = icmp ugt i64 %105, %107
  br i1 %108, label %109, label %110

109:
  store i64 %105, ptr %106, align 8
  br label %110

110:
  %111 = add nuw nsw i64 %103, 1
  %112 = icmp eq i64 %103, %101
  br i1 %112, label %113, label %102

113:
  %114 = getelementptr inbounds nuw i8, ptr %93, i64 24
  %115 = getelementptr inbounds nuw i64, ptr %114, i64 %15
  br label %136

116:
  br i1 %50, label %151, label %117

117:
  %118 = mul nuw nsw i64 %20, 56
  %119 = getelementptr inbounds nuw i8, ptr %114, i64 %118
  %120 = shl nuw nsw i64 %15, 3
  %121 = mul i64 %120, %20
  %122 = getelementptr inbounds nuw i64, ptr %49, i64 %121
  %123 = shl nuw nsw i64 %20, 2
  %124 = icmp eq i32 %19, 0
  br i1 %124, label %151, label %125

125:
  %126 = phi i64 [ %134, %133 ], [ 0, %117 ]
  %127 = getelementptr inbounds nuw i64, ptr %122, i64 %126
  %128 = load i64, ptr %127, align 8
  %129 = getelementptr inbounds nuw i64, ptr %119, i64 %126
  %130 = load i64, ptr %129, align 8
  %131 = icmp ugt i64 %128, %130
  br i1 %131, label %132, label %133

132:
  store i64 %128, ptr %129, align 8
  br label %133

133:
  %134 = add nuw nsw i64 %126, 1
  %135 = icmp eq i64 %134, %123
  br i1 %135, label %151, label %125

136:
  %137 = phi i1 [ true, %113 ], [ false, %150 ]
  %138 = phi i64 [ 0, %113 ], [ 1, %150 ]
  %139 = load i64, ptr %42, align 8
  %140 = icmp ne i64 %139, 0
  %141 = or i1 %137, %140
  %142 = getelementptr inbounds nuw i64, ptr %43, i64 %138
  %143 = select i1 %141, ptr %142, ptr %44
  %144 = load i64, ptr %143, align 8
  %145 = mul nuw nsw i64 %138, %20
  %146 = getelementptr inbounds nuw i64, ptr %115, i64 %145
  %147 = load i64, ptr %146, align 8
  %148 = icmp ugt i64 %144, %147
  br i1 %148, label %149, label %150

149:
  store i64 %144, ptr %146, align 8
  br label %150

150:
  br i1 %137, label %136, label %116

151:
  %152 = icmp eq i32 %2, 1
  br i1 %152, label %155, label %153

153:
  %154 = load i64, ptr %43, align 8
  tail call void @lm_release_all(ptr noundef nonnull %0, i64 noundef %154)
  br label %155

155:
  ret void
}

define void @lm_ptx_acquire(ptr noundef readonly captures(none) %0, i64 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = icmp eq i64 %1, 0
  br i1 %4, label %127, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 128
  %9 = load ptr, ptr %8, align 8
  %10 = load ptr, ptr %0, align 8
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 120
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %14 = load i32, ptr %13, align 4
  %15 = zext i32 %14 to i64
  %16 = getelementptr inbounds nuw i8, ptr %10, i64 112
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %19 = load i32, ptr %18, align 8
  %20 = zext i32 %19 to i64
  %21 = mul i64 %17, %20
  %22 = add i64 %21, 3
  %23 = mul i64 %22, %15
  %24 = getelementptr inbounds nuw i64, ptr %12, i64 %23
  %25 = tail call i64 @llvm.umin.i64(i64 %17, i64 7)
  %26 = mul nuw nsw i64 %25, %20
  %27 = add nuw nsw i64 %26, 2
  br label %28

28:
  %29 = phi i64 [ %37, %36 ], [ 0, %5 ]
  %30 = getelementptr inbounds nuw i64, ptr %9, i64 %29
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds nuw i64, ptr %24, i64 %29
  %33 = load i64, ptr %32, align 8
  %34 = icmp ugt i64 %31, %33
  br i1 %34, label %35, label %36

35:
  store i64 %31, ptr %32, align 8
  br label %36

36:
  %37 = add nuw nsw i64 %29, 1
  %38 = icmp eq i64 %29, %27
  br i1 %38, label %39, label %28

39:
  %40 = getelementptr inbounds nuw i8, ptr %10, i64 128
  %41 = load ptr, ptr %40, align 8
  %42 = icmp eq ptr %41, null
  br i1 %42, label %64, label %43

43:
  %44 = shl nuw nsw i64 %15, 3
  %45 = or disjoint i64 %44, 4
  %46 = mul i64 %45, %20
  %47 = getelementptr inbounds nuw i64, ptr %41, i64 %46
  %48 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %49 = mul nuw nsw i64 %20, 56
  %50 = getelementptr inbounds nuw i8, ptr %48, i64 %49
  %51 = shl nuw nsw i64 %20, 2
  %52 = icmp eq i32 %19, 0
  br i1 %52, label %64, label %53

53:
  %54 = phi i64 [ %62, %61 ], [ 0, %43 ]
  %55 = getelementptr inbounds nuw i64, ptr %50, i64 %54
  %56 = load i64, ptr %55, align 8
  %57 = getelementptr inbounds nuw i64, ptr %47, i64 %54
  %58 = load i64, ptr %57, align 8
  %59 = icmp ugt i64 %56, %58
  br i1 %59, label %60, label %61

60:
  store i64 %56, ptr %57, align 8
  br label %61

61:
  %62 = add nuw nsw i64 %54, 1
  %63 = icmp eq i64 %62, %51
  br i1 %63, label %64, label %53

64:
  %65 = icmp eq i32 %2, 0
  br i1 %65, label %127, label %66

66:
  %67 = getelementptr inbounds nuw i8, ptr %10, i64 12
  %68 = load i32, ptr %67, align 4
  %69 = icmp ugt i32 %68, 1
  br i1 %69, label %70, label %114

70:
  %71 = getelementptr inbounds nuw i8, ptr %10, i64 192
  %72 = load ptr, ptr %71, align 8
  %73 = load i64, ptr %16, align 8
  %74 = mul i64 %73, %20
  %75 = add i64 %74, 3
  %76 = mul i64 %75, %15
  %77 = getelementptr inbounds nuw i64, ptr %12, i64 %76
  %78 = tail call i64 @llvm.umin.i64(i64 %73, i64 7)
  %79 = mul nuw nsw i64 %78, %20
  %80 = add nuw nsw i64 %79, 2
  br label %81

81:
  %82 = phi i64 [ %90, %89 ], [ 0, %70 ]
  %83 = getelementptr inbounds nuw i64, ptr %72, i64 %82
  %84 = load i64, ptr %83, align 8
  %85 = getelementptr inbounds nuw i64, ptr %77, i64 %82
  %86 = load i64, ptr %85, align 8
  %87 = icmp ugt i64 %84, %86
  br i1 %87, label %88, label %89

88:
  store i64 %84, ptr %85, align 8
  br label %89

89:
  %90 = add nuw nsw i64 %82, 1
  %91 = icmp eq i64 %82, %80
  br i1 %91, label %92, label %81

92:
  br i1 %42, label %114, label %93

93:
  %94 = shl nuw nsw i64 %15, 3
  %95 = or disjoint i64 %94, 4
  %96 = mul i64 %95, %20
  %97 = getelementptr inbounds nuw i64, ptr %41, i64 %96
  %98 = getelementptr inbounds nuw i8, ptr %72, i64 24
  %99 = mul nuw nsw i64 %20, 56
  %100 = getelementptr inbounds nuw i8, ptr %98, i64 %99
  %101 = shl nuw nsw i64 %20, 2
  %102 = icmp eq i32 %19, 0
  br i1 %102, label %114, label %103

103:
  %104 = phi i64 [ %112, %111 ], [ 0, %93 ]
  %105 = getelementptr inbounds nuw i64, ptr %100, i64 %104
  %106 = load i64, ptr %105, align 8
  %107 = getelementptr inbounds nuw i64, ptr %97, i64 %104
  %108 = load i64, ptr %107, align 8
  %109 = icmp ugt i64 %106, %108
  br i1 %109, label %110, label %111

110:
  store i64 %106, ptr %107, align 8
  br label %111

111:
  %112 = add nuw nsw i64 %104, 1
  %113 = icmp eq i64 %112, %101
  br i1 %113, label %114, label %103

114:
  %115 = icmp eq i32 %2, 1
  br i1 %115, label %127, label %116

116:
  %117 = load i64, ptr %16, align 8
  %118 = mul i64 %117, %20
  %119 = add i64 %118, 3
  %120 = mul i64 %119, %15
  %121 = getelementptr inbounds nuw i64, ptr %12, i64 %120
  %122 = getelementptr inbounds nuw i8, ptr %121, i64 16
  %123 = load i64, ptr %122, align 8
  %124 = load i64, ptr %121, align 8
  %125 = icmp ugt i64 %123, %124
  br i1 %125, label %126, label %127

126:
  store i64 %123, ptr %121, align 8
  br label %127

127:
  ret void
}

define void @lm_acquire_all(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = load ptr, ptr %0, align 8
  %3 = getelementptr inbounds nuw i8, ptr %2, i64 120
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %6 = load i32, ptr %5, align 4
  %7 = zext i32 %6 to i64
  %8 = getelementptr inbounds nuw i8, ptr %2, i64 112
  %9 = load i64, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %11 = load i32, ptr %10, align 8
  %12 = zext i32 %11 to i64
  %13 = mul i64 %9, %12
  %14 = add i64 %13, 3
  %15 = mul i64 %14, %7
  %16 = getelementptr inbounds nuw i64, ptr %4, i64 %15
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %18 = load i64, ptr %17, align 8
  %19 = load i64, ptr %16, align 8
  %20 = icmp ugt i64 %18, %19
  br i1 %20, label %21, label %22

21:
  store i64 %18, ptr %16, align 8
  br label %22

22:
  ret void
}

define noundef ptr @lm_new_races() local_unnamed_addr {
  %1 = tail call dereferenceable_or_null(589856) ptr @calloc(i64 noundef 1, i64 noundef 589856)
  %2 = icmp eq ptr %1, null
  br i1 %2, label %7, label %3

3:
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 8
  store i64 4096, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 24
  store ptr %5, ptr %6, align 8
  br label %7

7:
  ret ptr %1
}

declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr

define i32 @lm_races_again(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %3 = load i64, ptr %2, align 8
  %4 = trunc i64 %3 to i32
  store i64 0, ptr %2, align 8
  ret i32 %4
}

define noundef ptr @lm_new_log() local_unnamed_addr {
  %1 = tail call dereferenceable_or_null(25165856) ptr @calloc(i64 noundef 1, i64 noundef 25165856)
  %2 = icmp eq ptr %1, null
  br i1 %2, label %9, label %3

3:
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 8
  store i64 2097152, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 16
  store ptr %5, ptr %6, align 8
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 16777248
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 24
  store ptr %7, ptr %8, align 8
  br label %9

9:
  ret ptr %1
}

define void @lm_free_story(ptr noundef captures(none) %0, ptr noundef captures(none) %1) local_unnamed_addr {
  tail call void @free(ptr noundef %0)
  tail call void @free(ptr noundef %1)
  ret void
}

declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr

define i32 @logged(ptr noundef readonly captures(none) %0, i64 noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 528
  %6 = load ptr, ptr %5, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %38, label %8

8:
  %9 = load i64, ptr %6, align 8
  %10 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %11 = load i64, ptr %10, align 8
  %12 = tail call i64 @llvm.umin.i64(i64 %9, i64 %11)
  %13 = icmp eq i64 %12, 0
  br i1 %13, label %38, label %14

14:
  %15 = load i64, ptr %6, align 8
  %16 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %19 = load ptr, ptr %18, align 8
  %20 = and i64 %1, 2305843009213693951
  br label %24

21:
  %22 = add nuw i64 %25, 1
  %23 = icmp eq i64 %22, %12
  br i1 %23, label %38, label %24

24:
  %25 = phi i64 [ 0, %14 ], [ %22, %21 ]
  %26 = xor i64 %25, -1
  %27 = add i64 %15, %26
  %28 = urem i64 %27, %17
  %29 = getelementptr inbounds nuw i64, ptr %19, i64 %28
  %30 = load i64, ptr %29, align 8
  %31 = icmp eq i64 %30, %20
  br i1 %31, label %32, label %21

32:
  %33 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %34 = load ptr, ptr %33, align 8
  %35 = getelementptr inbounds nuw i32, ptr %34, i64 %28
  %36 = load i32, ptr %35, align 4
  %37 = add i32 %36, 1
  br label %38

38:
  %39 = phi i32 [ %37, %32 ], [ 0, %8 ], [ 0, %2 ], [ 0, %21 ]
  ret i32 %39
}

define i32 @race_known(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = load ptr, ptr %0, align 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 520
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %9 = load i32, ptr %8, align 8
  %10 = and i32 %9, 3
  %11 = icmp eq i32 %10, 1
  br i1 %11, label %12, label %50

12:
  %13 = load i64, ptr %7, align 8
  %14 = icmp eq i64 %13, 0
  br i1 %14, label %50, label %15

15:
  %16 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %17 = load ptr, ptr %16, align 8
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %19 = load i64, ptr %18, align 8
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %21 = load i64, ptr %20, align 8
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %23 = load i64, ptr %22, align 8
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %25

25:
  %26 = phi i64 [ 0, %15 ], [ %48, %47 ]
  %27 = getelementptr inbounds nuw %struct.Race, ptr %17, i64 %26
  %28 = load i64, ptr %27, align 8
  %29 = icmp eq i64 %28, %19
  br i1 %29, label %30, label %47

30:
  %31 = load ptr, ptr %24, align 8
  %32 = load i64, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %27, i64 8
  %34 = load i64, ptr %33, align 8
  %35 = icmp eq i64 %34, %32
  br i1 %35, label %36, label %47

36:
  %37 = getelementptr inbounds nuw i8, ptr %27, i64 16
  %38 = load i64, ptr %37, align 8
  %39 = icmp ult i64 %38, %23
  br i1 %39, label %40, label %47

40:
  %41 = getelementptr inbounds nuw i8, ptr %27, i64 24
  %42 = load i64, ptr %41, align 8
  %43 = icmp ult i64 %21, %42
  br i1 %43, label %44, label %47

44:
  %45 = trunc i64 %26 to i32
  %46 = add i32 %45, 1
  br label %50

47:
  %48 = add nuw i64 %26, 1
  %49 = icmp eq i64 %48, %13
  br i1 %49, label %50, label %25

50:
  %51 = phi i32 [ 0, %1 ], [ %46, %44 ], [ 0, %12 ], [ 0, %47 ]
  ret i32 %51
}

define i32 @race_of_load(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 %2, i64 %3) local_unnamed_addr {
  %5 = alloca %struct.HazardRecord, align 8
  %6 = load ptr, ptr %0, align 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 520
  %11 = load ptr, ptr %10, align 8
  %12 = load i64, ptr %11, align 8
  %13 = icmp eq i64 %12, 0
  br i1 %13, label %58, label %14

14:
  %15 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %16 = load ptr, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %18 = getelementptr inbounds nuw i8, ptr %1, i64 96
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 92
  %20 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 16
  br label %22

22:
  %23 = phi i64 [ 0, %14 ], [ %56, %55 ]
  %24 = getelementptr inbounds nuw %struct.Race, ptr %16, i64 %23
  %25 = load i64, ptr %24, align 8
  %26 = icmp eq i64 %25, 0
  br i1 %26, label %27, label %55

27:
  %28 = getelementptr inbounds nuw i8, ptr %24, i64 36
  %29 = load i32, ptr %28, align 4
  %30 = load i32, ptr %17, align 4
  %31 = icmp eq i32 %29, %30
  br i1 %31, label %32, label %55

32:
  %33 = getelementptr inbounds nuw i8, ptr %24, i64 128
  %34 = load i32, ptr %33, align 8
  %35 = load i32, ptr %18, align 8
  %36 = icmp eq i32 %34, %35
  br i1 %36, label %37, label %55

37:
  %38 = getelementptr inbounds nuw i8, ptr %24, i64 124
  %39 = load i32, ptr %38, align 4
  %40 = load i32, ptr %19, align 4
  %41 = icmp eq i32 %39, %40
  br i1 %41, label %42, label %55

42:
  %43 = getelementptr inbounds nuw i8, ptr %24, i64 40
  %44 = load i32, ptr %43, align 8
  %45 = load i32, ptr %20, align 8
  %46 = icmp eq i32 %44, %45
  br i1 %46, label %47, label %55

47:
  %48 = getelementptr inbounds nuw i8, ptr %24, i64 48
  %49 = load i64, ptr %48, align 8
  %50 = load i64, ptr %21, align 8
  %51 = icmp eq i64 %49, %50
  br i1 %51, label %52, label %55

52:
  %53 = trunc i64 %23 to i32
  %54 = add i32 %53, 1
  br label %71

55:
  %56 = add nuw i64 %23, 1
  %57 = icmp eq i64 %56, %12
  br i1 %57, label %58, label %22

58:
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  %59 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %60 = load i64, ptr %59, align 8
  %61 = icmp eq i64 %12, %60
  br i1 %61, label %62, label %63

62:
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  br label %71

63:
  %64 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %65 = load ptr, ptr %64, align 8
  %66 = add i64 %12, 1
  store i64 %66, ptr %11, align 8
  %67 = getelementptr inbounds nuw %struct.Race, ptr %65, i64 %12
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(112) %5, ptr noundef nonnull readonly align 8 dereferenceable(112) %1, i64 112, i1 false)
  %68 = getelementptr inbounds nuw i8, ptr %67, i64 32
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %67, i8 0, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(112) %68, ptr noundef nonnull align 8 dereferenceable(112) %5, i64 112, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  %69 = load i64, ptr %11, align 8
  %70 = trunc i64 %69 to i32
  br label %71

71:
  %72 = phi i32 [ %54, %52 ], [ %70, %63 ], [ 0, %62 ]
  ret i32 %72
}

define range(i32 0, 2) i32 @race_of_store(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) local_unnamed_addr {
  %6 = alloca %struct.HazardRecord, align 8
  %7 = load ptr, ptr %0, align 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 520
  %12 = load ptr, ptr %11, align 8
  %13 = and i64 %2, 2305843009213693951
  %14 = load i64, ptr %12, align 8
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %43, label %16

16:
  %17 = getelementptr inbounds nuw i8, ptr %12, i64 24
  %18 = load ptr, ptr %17, align 8
  %19 = add i64 %4, %3
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %21

21:
  %22 = phi i64 [ 0, %16 ], [ %41, %40 ]
  %23 = getelementptr inbounds nuw %struct.Race, ptr %18, i64 %22
  %24 = load i64, ptr %23, align 8
  %25 = icmp eq i64 %24, %13
  br i1 %25, label %26, label %40

26:
  %27 = load ptr, ptr %20, align 8
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %23, i64 8
  %30 = load i64, ptr %29, align 8
  %31 = icmp eq i64 %30, %28
  br i1 %31, label %32, label %40

32:
  %33 = getelementptr inbounds nuw i8, ptr %23, i64 16
  %34 = load i64, ptr %33, align 8
  %35 = icmp ult i64 %34, %19
  br i1 %35, label %36, label %40

36:
  %37 = getelementptr inbounds nuw i8, ptr %23, i64 24
  %38 = load i64, ptr %37, align 8
  %39 = icmp ult i64 %3, %38
  br i1 %39, label %69, label %40

40:
  %41 = add nuw i64 %22, 1
  %42 = icmp eq i64 %41, %14
  br i1 %42, label %43, label %21

43:
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  %44 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %45 = load i64, ptr %44, align 8
  %46 = icmp eq i64 %14, %45
  br i1 %46, label %47, label %48

47:
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  br label %69

48:
  %49 = getelementptr inbounds nuw i8, ptr %12, i64 24
  %50 = load ptr, ptr %49, align 8
  %51 = add i64 %14, 1
  store i64 %51, ptr %12, align 8
  %52 = getelementptr inbounds nuw %struct.Race, ptr %50, i64 %14
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(112) %6, ptr noundef nonnull readonly align 8 dereferenceable(112) %1, i64 112, i1 false)
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 32
  %54 = getelementptr inbounds nuw i8, ptr %52, i64 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %54, i8 0, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(112) %53, ptr noundef nonnull align 8 dereferenceable(112) %6, i64 112, i1 false)
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  store i64 %13, ptr %52, align 8
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %56 = load ptr, ptr %55, align 8
  %57 = load i64, ptr %56, align 8
  %58 = getelementptr inbounds nuw i8, ptr %52, i64 8
  store i64 %57, ptr %58, align 8
  %59 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %60 = load i64, ptr %59, align 8
  %61 = tail call i64 @llvm.umax.i64(i64 %3, i64 %60)
  %62 = getelementptr inbounds nuw i8, ptr %52, i64 16
  store i64 %61, ptr %62, align 8
  %63 = add i64 %4, %3
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %65 = load i64, ptr %64, align 8
  %66 = tail call i64 @llvm.umin.i64(i64 %63, i64 %65)
  %67 = getelementptr inbounds nuw i8, ptr %52, i64 24
  store i64 %66, ptr %67, align 8
  %68 = getelementptr inbounds nuw i8, ptr %12, i64 16
  store i64 1, ptr %68, align 8
  br label %69

69:
  %70 = phi i32 [ 0, %47 ], [ 1, %48 ], [ 1, %36 ]
  ret i32 %70
}

define range(i32 -2147483647, -2147483648) i32 @from_race(ptr noundef readonly captures(none) %0, i32 noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 520
  %6 = load ptr, ptr %5, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %40, label %8

8:
  %9 = getelementptr inbounds nuw i8, ptr %4, i64 40
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, null
  %12 = icmp eq i32 %1, 0
  %13 = or i1 %11, %12
  br i1 %13, label %40, label %14

14:
  %15 = getelementptr inbounds nuw i8, ptr %4, i64 48
  %16 = load i64, ptr %15, align 8
  br label %17

17:
  %18 = phi i32 [ %1, %14 ], [ %38, %35 ]
  %19 = zext i32 %18 to i64
  %20 = icmp ugt i64 %16, %19
  br i1 %20, label %21, label %40

21:
  %22 = lshr i32 %18, 12
  %23 = zext nneg i32 %22 to i64
  %24 = getelementptr inbounds nuw ptr, ptr %10, i64 %23
  %25 = load ptr, ptr %24, align 8
  %26 = and i32 %18, 4095
  %27 = zext nneg i32 %26 to i64
  %28 = getelementptr inbounds nuw %struct.Origin, ptr %25, i64 %27
  %29 = load i32, ptr %28, align 8
  switch i32 %29, label %40 [
    i32 5, label %30
    i32 3, label %35
  ]

30:
  %31 = getelementptr inbounds nuw i8, ptr %28, i64 24
  %32 = load i64, ptr %31, align 8
  %33 = trunc i64 %32 to i32
  %34 = add nsw i32 %33, 1
  br label %40

35:
  %36 = getelementptr inbounds nuw i8, ptr %28, i64 24
  %37 = load i64, ptr %36, align 8
  %38 = trunc i64 %37 to i32
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %40, label %17

40:
  %41 = phi i32 [ %34, %30 ], [ 0, %2 ], [ 0, %8 ], [ 0, %21 ], [ 0, %17 ], [ 0, %35 ]
  ret i32 %41
}

define void @lm_free_times(ptr noundef captures(none) initializes((496, 520)) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 488
  %3 = load ptr, ptr %2, align 8
  tail call void @free(ptr noundef %3)
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %2, i8 0, i64 32, i1 false)
  ret void
}

define void @carry(ptr noundef %0, i64 noundef %1, i64 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 120
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %9 = load i32, ptr %8, align 4
  %10 = zext i32 %9 to i64
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 112
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %14 = load i32, ptr %13, align 8
  %15 = zext i32 %14 to i64
  %16 = mul i64 %12, %15
  %17 = add i64 %16, 3
  %18 = mul i64 %17, %10
  %19 = getelementptr inbounds nuw i64, ptr %7, i64 %18
  %20 = and i32 %3, 2
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %29, label %22

22:
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %24 = load ptr, ptr %23, align 8
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 576
  %26 = load ptr, ptr %25, align 8
  %27 = icmp eq ptr %26, null
  br i1 %27, label %29, label %28

28:
  tail call void %26(ptr noundef nonnull %0)
  br label %29

29:
  %30 = and i64 %1, -4
  %31 = add i64 %2, %1
  %32 = icmp ult i64 %30, %31
  br i1 %32, label %33, label %40

33:
  %34 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %37 = and i32 %3, 1
  %38 = icmp eq i32 %37, 0
  %39 = getelementptr inbounds nuw i8, ptr %19, i64 16
  br label %41

40:
  ret void

41:
  %42 = phi i64 [ %30, %33 ], [ %192, %191 ]
  br i1 %21, label %51, label %43

43:
  %44 = load i64, ptr %34, align 8
  %45 = icmp eq i64 %44, 0
  %46 = load ptr, ptr %35, align 8
  %47 = getelementptr inbounds nuw i8, ptr %46, i64 488
  %48 = getelementptr inbounds nuw i8, ptr %46, i64 512
  %49 = load i64, ptr %48, align 8
  %50 = icmp eq i64 %49, 0
  br i1 %50, label %64, label %57

51:
  %52 = load ptr, ptr %35, align 8
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 488
  %54 = getelementptr inbounds nuw i8, ptr %52, i64 512
  %55 = load i64, ptr %54, align 8
  %56 = icmp eq i64 %55, 0
  br i1 %56, label %191, label %57

57:
  %58 = phi i64 [ %55, %51 ], [ %49, %43 ]
  %59 = phi ptr [ %54, %51 ], [ %48, %43 ]
  %60 = phi ptr [ %53, %51 ], [ %47, %43 ]
  %61 = phi ptr [ %52, %51 ], [ %46, %43 ]
  %62 = phi i1 [ true, %51 ], [ %45, %43 ]
  %63 = load ptr, ptr %60, align 8
  br label %75

64:
  br i1 %45, label %191, label %65

65:
  %66 = tail call dereferenceable_or_null(16384) ptr @calloc(i64 noundef 2048, i64 noundef 8)
  %67 = icmp eq ptr %66, null
  br i1 %67, label %68, label %69

68:
  store i32 3, ptr %36, align 8
  br label %191

69:
  %70 = getelementptr inbounds nuw i8, ptr %66, i64 8192
  %71 = getelementptr inbounds nuw i8, ptr %46, i64 504
  %72 = load i64, ptr %71, align 8
  %73 = load ptr, ptr %47, align 8
  tail call void @free(ptr noundef %73)
  store ptr %66, ptr %47, align 8
  %74 = getelementptr inbounds nuw i8, ptr %46, i64 496
  store ptr %70, ptr %74, align 8
  store i64 %72, ptr %71, align 8
  store i64 1024, ptr %48, align 8
  br label %75

75:
  %76 = phi ptr [ %48, %69 ], [ %59, %57 ]
  %77 = phi ptr [ %47, %69 ], [ %60, %57 ]
  %78 = phi ptr [ %46, %69 ], [ %61, %57 ]
  %79 = phi i1 [ false, %69 ], [ %62, %57 ]
  %80 = phi ptr [ %66, %69 ], [ %63, %57 ]
  %81 = phi i64 [ 1024, %69 ], [ %58, %57 ]
  %82 = mul i64 %42, -7046029254386353131
  %83 = lshr i64 %82, 20
  %84 = add i64 %81, -1
  br label %85

85:
  %86 = phi i64 [ %83, %75 ], [ %93, %85 ]
  %87 = and i64 %86, %84
  %88 = getelementptr inbounds nuw i64, ptr %80, i64 %87
  %89 = load i64, ptr %88, align 8
  %90 = icmp eq i64 %89, 0
  %91 = icmp eq i64 %89, %42
  %92 = or i1 %90, %91
  %93 = add nuw i64 %87, 1
  br i1 %92, label %94, label %85

94:
  br i1 %90, label %95, label %169

95:
  br i1 %79, label %191, label %96

96:
  %97 = getelementptr inbounds nuw i8, ptr %78, i64 504
  %98 = load i64, ptr %97, align 8
  %99 = shl i64 %98, 1
  %100 = icmp ult i64 %99, %81
  br i1 %100, label %163, label %101

101:
  %102 = load ptr, ptr %35, align 8
  %103 = getelementptr inbounds nuw i8, ptr %102, i64 488
  %104 = getelementptr inbounds nuw i8, ptr %102, i64 512
  %105 = load i64, ptr %104, align 8
  %106 = icmp eq i64 %105, 0
  %107 = shl i64 %105, 1
  %108 = select i1 %106, i64 1024, i64 %107
  %109 = shl i64 %108, 1
  %110 = tail call ptr @calloc(i64 noundef %109, i64 noundef 8)
  %111 = icmp eq ptr %110, null
  br i1 %111, label %112, label %113

112:
  store i32 3, ptr %36, align 8
  br label %191

113:
  %114 = getelementptr inbounds nuw i64, ptr %110, i64 %108
  %115 = getelementptr inbounds nuw i8, ptr %102, i64 504
  %116 = load i64, ptr %115, align 8
  %117 = load ptr, ptr %103, align 8
  br i1 %106, label %147, label %118

118:
  %119 = add i64 %107, -1
  %120 = getelementptr inbounds nuw i8, ptr %102, i64 496
  br label %121

121:
  %122 = phi i64 [ 0, %118 ], [ %145, %144 ]
  %123 = getelementptr inbounds nuw i64, ptr %117, i64 %122
  %124 = load i64, ptr %123, align 8
  %125 = icmp eq i64 %124, 0
  br i1 %125, label %144, label %126

126:
  %127 = mul i64 %124, -7046029254386353131
  %128 = lshr i64 %127, 20
  br label %129

129:
  %130 = phi i64 [ %128, %126 ], [ %137, %129 ]
  %131 = and i64 %130, %119
  %132 = getelementptr inbounds nuw i64, ptr %110, i64 %131
  %133 = load i64, ptr %132, align 8
  %134 = icmp eq i64 %133, 0
  %135 = icmp eq i64 %133, %124
  %136 = or i1 %134, %135
  %137 = add i64 %131, 1
  br i1 %136, label %138, label %129

138:
  %139 = getelementptr inbounds nuw i64, ptr %110, i64 %131
  store i64 %124, ptr %139, align 8
  %140 = load ptr, ptr %120, align 8
  %141 = getelementptr inbounds nuw i64, ptr %140, i64 %122
  %142 = load i64, ptr %141, align 8
  %143 = getelementptr inbounds nuw i64, ptr %114, i64 %131
  store i64 %142, ptr %143, align 8
  br label %144

144:
  %145 = add nuw i64 %122, 1
  %146 = icmp eq i64 %145, %105
  br i1 %146, label %147, label %121

147:
  tail call void @free(ptr noundef %117)
  store ptr %110, ptr %103, align 8
  %148 = getelementptr inbounds nuw i8, ptr %102, i64 496
  store ptr %114, ptr %148, align 8
  store i64 %116, ptr %115, align 8
  store i64 %108, ptr %104, align 8
  %149 = load i64, ptr %76, align 8
  %150 = add i64 %149, -1
  %151 = load ptr, ptr %77, align 8
  br label %152

152:
  %153 = phi i64 [ %83, %147 ], [ %160, %152 ]
  %154 = and i64 %153, %150
  %155 = getelementptr inbounds nuw i64, ptr %151, i64 %154
  %156 = load i64, ptr %155, align 8
  %157 = icmp eq i64 %156, 0
  %158 = icmp eq i64 %156, %42
  %159 = or i1 %157, %158
  %160 = add i64 %154, 1
  br i1 %159, label %161, label %152

161:
  %162 = load i64, ptr %97, align 8
  br label %163

163:
  %164 = phi ptr [ %80, %96 ], [ %151, %161 ]
  %165 = phi i64 [ %98, %96 ], [ %162, %161 ]
  %166 = phi i64 [ %87, %96 ], [ %154, %161 ]
  %167 = add i64 %165, 1
  store i64 %167, ptr %97, align 8
  %168 = getelementptr inbounds nuw i64, ptr %164, i64 %166
  store i64 %42, ptr %168, align 8
  br label %169

169:
  %170 = phi i64 [ %166, %163 ], [ %87, %94 ]
  %171 = getelementptr inbounds nuw i8, ptr %78, i64 496
  %172 = load ptr, ptr %171, align 8
  %173 = getelementptr inbounds nuw i64, ptr %172, i64 %170
  %174 = icmp eq ptr %172, null
  br i1 %174, label %191, label %175

175:
  br i1 %38, label %182, label %176

176:
  %177 = load i64, ptr %173, align 8
  %178 = load i64, ptr %39, align 8
  %179 = icmp ugt i64 %177, %178
  br i1 %179, label %180, label %181

180:
  store i64 %177, ptr %39, align 8
  br label %181

181:
  br i1 %21, label %191, label %185

182:
  br i1 %21, label %191, label %183

183:
  %184 = load i64, ptr %34, align 8
  br label %189

185:
  %186 = load i64, ptr %34, align 8
  %187 = load i64, ptr %173, align 8
  %188 = icmp ugt i64 %186, %187
  br i1 %188, label %189, label %191

189:
  %190 = phi i64 [ %184, %183 ], [ %186, %185 ]
  store i64 %190, ptr %173, align 8
  br label %191

191:
  %192 = add i64 %42, 4
  %193 = icmp ult i64 %192, %31
  br i1 %193, label %41, label %40
}

define range(i32 0, 2) i32 @lm_learned(ptr noundef readonly captures(none) %0, i64 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load ptr, ptr %5, align 8
  %7 = load ptr, ptr %0, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %9 = load i32, ptr %8, align 8
  %10 = zext i32 %9 to i64
  %11 = getelementptr inbounds nuw i8, ptr %6, i64 176
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %6, i64 88
  %14 = load i64, ptr %13, align 8
  %15 = sub i64 %1, %14
  %16 = getelementptr inbounds nuw i8, ptr %6, i64 184
  %17 = load i64, ptr %16, align 8
  %18 = mul i64 %15, %17
  %19 = getelementptr inbounds nuw i64, ptr %12, i64 %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %7, i64 120
  %22 = load ptr, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %24 = load i32, ptr %23, align 4
  %25 = zext i32 %24 to i64
  %26 = getelementptr inbounds nuw i8, ptr %7, i64 112
  %27 = load i64, ptr %26, align 8
  %28 = mul i64 %27, %10
  %29 = add i64 %28, 3
  %30 = mul i64 %29, %25
  %31 = getelementptr inbounds nuw i64, ptr %22, i64 %30
  %32 = load i64, ptr %31, align 8
  %33 = icmp eq i64 %20, 0
  br i1 %33, label %64, label %34

34:
  %35 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %36 = add nuw nsw i64 %10, 1
  br label %37

37:
  %38 = phi i64 [ 0, %34 ], [ %48, %37 ]
  %39 = phi i64 [ %20, %34 ], [ %47, %37 ]
  %40 = add i64 %38, %39
  %41 = lshr i64 %40, 1
  %42 = mul i64 %41, %36
  %43 = getelementptr inbounds nuw i64, ptr %35, i64 %42
  %44 = load i64, ptr %43, align 8
  %45 = icmp ugt i64 %44, %32
  %46 = add nuw i64 %41, 1
  %47 = select i1 %45, i64 %41, i64 %39
  %48 = select i1 %45, i64 %38, i64 %46
  %49 = icmp ult i64 %48, %47
  br i1 %49, label %37, label %50

50:
  %51 = icmp eq i64 %48, 0
  br i1 %51, label %64, label %52

52:
  %53 = add i64 %48, -1
  %54 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %55 = add nuw nsw i64 %10, 1
  %56 = mul i64 %53, %55
  %57 = getelementptr inbounds nuw i64, ptr %54, i64 %56
  %58 = add i32 %2, 1
  %59 = zext i32 %58 to i64
  %60 = getelementptr inbounds nuw i64, ptr %57, i64 %59
  %61 = load i64, ptr %60, align 8
  %62 = icmp uge i64 %61, %3
  %63 = zext i1 %62 to i32
  br label %64

64:
  %65 = phi i32 [ 0, %50 ], [ %63, %52 ], [ 0, %4 ]
  ret i32 %65
}

define noundef i32 @lm_uncompiled(ptr noundef readnone captures(none) %0) local_unnamed_addr {
  ret i32 4
}

define range(i32 1, 0) i32 @lm_run_group(ptr noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %5 = load i64, ptr %4, align 8
  %6 = icmp eq i64 %5, 0
  br i1 %6, label %7, label %12

7:
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 560
  %9 = load ptr, ptr %8, align 8
  %10 = icmp eq ptr %9, null
  br i1 %10, label %12, label %11

11:
  tail call void %9(ptr noundef nonnull %0)
  br label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %14 = getelementptr inbounds nuw i8, ptr %3, i64 152
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %21 = getelementptr inbounds nuw i8, ptr %3, i64 272
  %22 = getelementptr inbounds nuw i8, ptr %3, i64 280
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 56
  br label %26

26:
  %27 = load i64, ptr %4, align 8
  %28 = icmp eq i64 %27, 0
  br i1 %28, label %29, label %31

29:
  %30 = load i64, ptr %14, align 8
  store i64 %30, ptr %15, align 8
  br label %31

31:
  %32 = load i32, ptr %13, align 8
  %33 = zext i32 %32 to i64
  %34 = icmp ult i64 %27, %33
  br i1 %34, label %35, label %210

35:
  %36 = load ptr, ptr %16, align 8
  %37 = load i64, ptr %17, align 8
  %38 = getelementptr inbounds nuw ptr, ptr %36, i64 %37
  %39 = load ptr, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %39, i64 164
  %41 = load i32, ptr %40, align 4
  %42 = icmp eq i32 %41, 0
  br i1 %42, label %43, label %187

43:
  store i64 1, ptr %18, align 8
  %44 = getelementptr inbounds nuw i8, ptr %39, i64 188
  store i32 0, ptr %44, align 4
  %45 = getelementptr inbounds nuw i8, ptr %39, i64 176
  %46 = load i64, ptr %45, align 8
  %47 = getelementptr inbounds nuw i8, ptr %39, i64 16
  %48 = load ptr, ptr %47, align 8
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 80
  %50 = getelementptr inbounds nuw i8, ptr %39, i64 208
  %51 = getelementptr inbounds nuw i8, ptr %48, i64 400
  %52 = getelementptr inbounds nuw i8, ptr %39, i64 160
  %53 = getelementptr inbounds nuw i8, ptr %39, i64 184
  %54 = getelementptr inbounds nuw i8, ptr %48, i64 96
  %55 = getelementptr inbounds nuw i8, ptr %39, i64 216
  %56 = load volatile i64, ptr %51, align 8
  %57 = icmp eq i64 %56, 0
  br i1 %57, label %61, label %81

58:
  %59 = load volatile i64, ptr %51, align 8
  %60 = icmp eq i64 %59, 0
  br i1 %60, label %61, label %81

61:
  %62 = load ptr, ptr %49, align 8
  %63 = load i32, ptr %52, align 8
  %64 = zext i32 %63 to i64
  %65 = getelementptr inbounds nuw ptr, ptr %62, i64 %64
  %66 = load ptr, ptr %65, align 8
  %67 = tail call i32 %66(ptr noundef nonnull %39)
  %68 = load i32, ptr %53, align 8
  %69 = icmp eq i32 %68, 0
  %70 = load i64, ptr %45, align 8
  br i1 %69, label %71, label %81

71:
  %72 = load i64, ptr %54, align 8
  %73 = icmp ugt i64 %70, %72
  br i1 %73, label %81, label %74

74:
  %75 = load i64, ptr %50, align 8
  %76 = load i64, ptr %55, align 8
  %77 = or i64 %76, %75
  %78 = icmp ugt i64 %77, 268435454
  br i1 %78, label %81, label %79

79:
  %80 = icmp eq i32 %67, 0
  br i1 %80, label %58, label %87

81:
  %82 = phi i64 [ %70, %58 ], [ %70, %74 ], [ %70, %71 ], [ %70, %61 ], [ %46, %43 ]
  %83 = phi i32 [ 10, %58 ], [ 6, %61 ], [ 7, %71 ], [ 7, %74 ], [ 10, %43 ]
  %84 = sub i64 %82, %46
  %85 = load i64, ptr %19, align 8
  %86 = add i64 %84, %85
  store i64 %86, ptr %19, align 8
  br label %336

87:
  %88 = sub i64 %70, %46
  %89 = load i64, ptr %19, align 8
  %90 = add i64 %88, %89
  store i64 %90, ptr %19, align 8
  %91 = icmp ult i32 %67, 3
  br i1 %91, label %98, label %92

92:
  %93 = icmp eq i32 %67, 3
  br i1 %93, label %94, label %336

94:
  %95 = load i32, ptr %44, align 4
  %96 = icmp eq i32 %95, 0
  br i1 %96, label %187, label %97

97:
  store i64 1, ptr %20, align 8
  br label %187

98:
  %99 = icmp eq i32 %67, 1
  store i32 %67, ptr %40, align 4
  store i64 1, ptr %20, align 8
  br i1 %99, label %100, label %187

100:
  %101 = getelementptr inbounds nuw i8, ptr %39, i64 8
  %102 = load ptr, ptr %101, align 8
  %103 = getelementptr inbounds nuw i8, ptr %102, i64 20
  %104 = load i32, ptr %103, align 4
  %105 = add i32 %104, -1
  store i32 %105, ptr %103, align 4
  %106 = icmp eq i32 %105, 0
  br i1 %106, label %107, label %187

107:
  %108 = load ptr, ptr %102, align 8
  %109 = getelementptr inbounds nuw i8, ptr %108, i64 8
  %110 = getelementptr inbounds nuw i8, ptr %108, i64 12
  %111 = load i32, ptr %110, align 4
  %112 = icmp ugt i32 %111, 1
  br i1 %112, label %113, label %178

113:
  %114 = getelementptr inbounds nuw i8, ptr %102, i64 120
  %115 = getelementptr inbounds nuw i8, ptr %102, i64 12
  %116 = getelementptr inbounds nuw i8, ptr %102, i64 16
  %117 = getelementptr inbounds nuw i8, ptr %108, i64 120
  %118 = getelementptr inbounds nuw i8, ptr %108, i64 112
  %119 = getelementptr inbounds nuw i8, ptr %108, i64 16
  %120 = getelementptr inbounds nuw i8, ptr %102, i64 8
  br label %121

121:
  %122 = phi i32 [ %111, %113 ], [ %175, %174 ]
  %123 = phi i64 [ 0, %113 ], [ %176, %174 ]
  %124 = load i32, ptr %109, align 8
  %125 = zext i32 %124 to i64
  %126 = icmp samesign ult i64 %123, %125
  br i1 %126, label %127, label %178

127:
  %128 = load ptr, ptr %114, align 8
  %129 = getelementptr inbounds nuw i64, ptr %128, i64 %123
  %130 = load i64, ptr %129, align 8
  %131 = and i64 %130, 4294967295
  %132 = load i32, ptr %115, align 4
  %133 = icmp eq i32 %132, 0
  br i1 %133, label %141, label %134

134:
  %135 = load i32, ptr %116, align 8
  %136 = load ptr, ptr %117, align 8
  %137 = load i64, ptr %118, align 8
  %138 = mul i64 %137, %125
  %139 = add i64 %138, 3
  %140 = zext i32 %132 to i64
  br label %144

141:
  %142 = phi i64 [ 0, %127 ], [ %156, %144 ]
  %143 = icmp ugt i64 %131, %142
  br i1 %143, label %159, label %174

144:
  %145 = phi i64 [ 0, %134 ], [ %157, %144 ]
  %146 = phi i64 [ 0, %134 ], [ %156, %144 ]
  %147 = trunc nuw i64 %145 to i32
  %148 = add i32 %135, %147
  %149 = zext i32 %148 to i64
  %150 = mul i64 %139, %149
  %151 = getelementptr inbounds nuw i64, ptr %136, i64 %150
  %152 = getelementptr inbounds nuw i8, ptr %151, i64 24
  %153 = getelementptr inbounds nuw i64, ptr %152, i64 %125
  %154 = getelementptr inbounds nuw i64, ptr %153, i64 %123
  %155 = load i64, ptr %154, align 8
  %156 = tail call i64 @llvm.umax.i64(i64 %155, i64 %146)
  %157 = add nuw nsw i64 %145, 1
  %158 = icmp eq i64 %157, %140
  br i1 %158, label %141, label %144

159:
  %160 = lshr i64 %130, 32
  %161 = trunc nuw i64 %160 to i32
  %162 = load ptr, ptr %119, align 8
  %163 = getelementptr inbounds nuw ptr, ptr %162, i64 %123
  %164 = load ptr, ptr %163, align 8
  %165 = getelementptr inbounds nuw i8, ptr %164, i64 32
  %166 = load i64, ptr %165, align 8
  %167 = tail call ptr @lm_hazard(ptr noundef nonnull %39, i32 noundef 9, i32 noundef %161, i64 noundef %166)
  %168 = getelementptr inbounds nuw i8, ptr %167, i64 8
  %169 = trunc nuw i64 %123 to i32
  store i32 %169, ptr %168, align 8
  %170 = load i32, ptr %120, align 8
  %171 = zext i32 %170 to i64
  %172 = getelementptr inbounds nuw i8, ptr %167, i64 48
  store i64 %171, ptr %172, align 8
  %173 = load i32, ptr %110, align 4
  br label %174

174:
  %175 = phi i32 [ %122, %141 ], [ %173, %159 ]
  %176 = add nuw nsw i64 %123, 1
  %177 = icmp ugt i32 %175, 1
  br i1 %177, label %121, label %178

178:
  %179 = load ptr, ptr %47, align 8
  %180 = getelementptr inbounds nuw i8, ptr %179, i64 552
  %181 = load ptr, ptr %180, align 8
  %182 = icmp eq ptr %181, null
  br i1 %182, label %184, label %183

183:
  tail call void %181(ptr noundef nonnull %39)
  br label %184

184:
  %185 = load i32, ptr %53, align 8
  %186 = icmp eq i32 %185, 0
  br i1 %186, label %187, label %336

187:
  %188 = load i64, ptr %4, align 8
  %189 = add i64 %188, 1
  store i64 %189, ptr %4, align 8
  %190 = load i64, ptr %17, align 8
  %191 = add i64 %190, 1
  %192 = load i32, ptr %13, align 8
  %193 = zext i32 %192 to i64
  %194 = urem i64 %191, %193
  store i64 %194, ptr %17, align 8
  %195 = load i64, ptr %21, align 8
  %196 = icmp eq i64 %195, 0
  br i1 %196, label %206, label %197

197:
  %198 = load i64, ptr %22, align 8
  %199 = add i64 %198, 1
  %200 = icmp ult i64 %199, %195
  %201 = select i1 %200, i64 %199, i64 0
  store i64 %201, ptr %22, align 8
  br i1 %200, label %202, label %336

202:
  %203 = load i64, ptr %4, align 8
  %204 = load i32, ptr %13, align 8
  %205 = zext i32 %204 to i64
  br label %206

206:
  %207 = phi i64 [ %205, %202 ], [ %193, %187 ]
  %208 = phi i64 [ %203, %202 ], [ %189, %187 ]
  %209 = icmp ult i64 %208, %207
  br i1 %209, label %35, label %210

210:
  store i64 0, ptr %4, align 8
  %211 = load ptr, ptr %2, align 8
  %212 = getelementptr inbounds nuw i8, ptr %211, i64 568
  %213 = load ptr, ptr %212, align 8
  %214 = load i64, ptr %18, align 8
  %215 = load i64, ptr %20, align 8
  %216 = load i64, ptr %15, align 8
  %217 = load i64, ptr %19, align 8
  store i64 0, ptr %19, align 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %18, i8 0, i64 16, i1 false)
  %218 = load i32, ptr %23, align 4
  %219 = icmp eq i32 %218, 0
  br i1 %219, label %331, label %220

220:
  %221 = load ptr, ptr %24, align 8
  %222 = zext i32 %218 to i64
  br label %225

223:
  %224 = icmp eq i32 %232, 0
  br i1 %224, label %331, label %235

225:
  %226 = phi i64 [ 0, %220 ], [ %233, %225 ]
  %227 = phi i32 [ 0, %220 ], [ %232, %225 ]
  %228 = getelementptr inbounds nuw ptr, ptr %221, i64 %226
  %229 = load ptr, ptr %228, align 8
  %230 = getelementptr inbounds nuw i8, ptr %229, i64 20
  %231 = load i32, ptr %230, align 4
  %232 = add i32 %231, %227
  %233 = add nuw nsw i64 %226, 1
  %234 = icmp eq i64 %233, %222
  br i1 %234, label %223, label %225

235:
  %236 = phi i64 [ %295, %292 ], [ 0, %223 ]
  %237 = phi i32 [ %294, %292 ], [ 0, %223 ]
  %238 = load ptr, ptr %24, align 8
  %239 = getelementptr inbounds nuw ptr, ptr %238, i64 %236
  %240 = load ptr, ptr %239, align 8
  %241 = load ptr, ptr %240, align 8
  %242 = getelementptr inbounds nuw i8, ptr %241, i64 16
  %243 = load ptr, ptr %242, align 8
  %244 = getelementptr inbounds nuw i8, ptr %240, i64 16
  %245 = load i32, ptr %244, align 8
  %246 = zext i32 %245 to i64
  %247 = getelementptr inbounds nuw ptr, ptr %243, i64 %246
  %248 = getelementptr inbounds nuw i8, ptr %240, i64 12
  %249 = load i32, ptr %248, align 4
  %250 = icmp eq i32 %249, 0
  br i1 %250, label %292, label %251

251:
  %252 = zext i32 %249 to i64
  br label %253

253:
  %254 = phi i64 [ 0, %251 ], [ %270, %268 ]
  %255 = phi i32 [ 0, %251 ], [ %269, %268 ]
  %256 = getelementptr inbounds nuw ptr, ptr %247, i64 %254
  %257 = load ptr, ptr %256, align 8
  %258 = getelementptr inbounds nuw i8, ptr %257, i64 164
  %259 = load i32, ptr %258, align 4
  switch i32 %259, label %292 [
    i32 1, label %268
    i32 2, label %260
  ]

260:
  %261 = getelementptr inbounds nuw i8, ptr %257, i64 244
  %262 = load i32, ptr %261, align 4
  %263 = icmp eq i32 %262, 0
  br i1 %263, label %264, label %292

264:
  %265 = trunc nuw i64 %254 to i32
  %266 = shl nuw i32 1, %265
  %267 = or i32 %266, %255
  br label %268

268:
  %269 = phi i32 [ %255, %253 ], [ %267, %264 ]
  %270 = add nuw nsw i64 %254, 1
  %271 = icmp eq i64 %270, %252
  br i1 %271, label %272, label %253

272:
  %273 = icmp eq i32 %269, 0
  br i1 %273, label %292, label %274

274:
  tail call void @lm_join(ptr noundef nonnull readonly %240, i32 noundef %269)
  %275 = load i32, ptr %248, align 4
  %276 = icmp eq i32 %275, 0
  br i1 %276, label %292, label %277

277:
  %278 = zext i32 %275 to i64
  br label %279

279:
  %280 = phi i64 [ 0, %277 ], [ %290, %289 ]
  %281 = trunc nuw i64 %280 to i32
  %282 = shl nuw i32 1, %281
  %283 = and i32 %282, %269
  %284 = icmp eq i32 %283, 0
  br i1 %284, label %289, label %285

285:
  %286 = getelementptr inbounds nuw ptr, ptr %247, i64 %280
  %287 = load ptr, ptr %286, align 8
  %288 = getelementptr inbounds nuw i8, ptr %287, i64 164
  store i32 0, ptr %288, align 4
  br label %289

289:
  %290 = add nuw nsw i64 %280, 1
  %291 = icmp eq i64 %290, %278
  br i1 %291, label %292, label %279

292:
  %293 = phi i32 [ 0, %272 ], [ 1, %274 ], [ 1, %289 ], [ 0, %235 ], [ 0, %253 ], [ 0, %260 ]
  %294 = or i32 %293, %237
  %295 = add nuw nsw i64 %236, 1
  %296 = load i32, ptr %23, align 4
  %297 = zext i32 %296 to i64
  %298 = icmp samesign ult i64 %295, %297
  br i1 %298, label %235, label %299

299:
  %300 = icmp eq i32 %294, 0
  br i1 %300, label %301, label %333

301:
  %302 = icmp eq i64 %214, 0
  br i1 %302, label %303, label %305

303:
  %304 = icmp eq ptr %213, null
  br i1 %304, label %336, label %328

305:
  %306 = icmp eq i64 %215, 0
  br i1 %306, label %308, label %307

307:
  store i64 0, ptr %25, align 8
  br label %333

308:
  %309 = load ptr, ptr %2, align 8
  %310 = getelementptr inbounds nuw i8, ptr %309, i64 152
  %311 = load i64, ptr %310, align 8
  %312 = icmp eq i64 %216, %311
  %313 = getelementptr inbounds nuw i8, ptr %309, i64 168
  %314 = load i64, ptr %313, align 8
  %315 = icmp eq i64 %314, %311
  br i1 %315, label %318, label %316

316:
  store i64 %311, ptr %313, align 8
  %317 = getelementptr inbounds nuw i8, ptr %309, i64 160
  store i64 0, ptr %317, align 8
  br label %318

318:
  br i1 %312, label %319, label %323

319:
  %320 = getelementptr inbounds nuw i8, ptr %309, i64 160
  %321 = load i64, ptr %320, align 8
  %322 = add i64 %321, %217
  store i64 %322, ptr %320, align 8
  br label %327

323:
  %324 = load i64, ptr %25, align 8
  %325 = add i64 %324, 1
  store i64 %325, ptr %25, align 8
  %326 = icmp ult i64 %325, 64
  br i1 %326, label %333, label %327

327:
  store i64 0, ptr %25, align 8
  br label %336

328:
  %329 = tail call i32 %213(ptr noundef nonnull %0)
  %330 = icmp eq i32 %329, 1
  br i1 %330, label %331, label %333

331:
  %332 = getelementptr inbounds nuw i8, ptr %0, i64 40
  store i64 0, ptr %332, align 8
  br label %336

333:
  %334 = phi i32 [ %329, %328 ], [ 0, %323 ], [ 0, %307 ], [ 0, %299 ]
  %335 = icmp eq i32 %334, 0
  br i1 %335, label %26, label %336

336:
  %337 = phi i32 [ 3, %327 ], [ 11, %197 ], [ 1, %331 ], [ %83, %81 ], [ %67, %92 ], [ 6, %184 ], [ %334, %333 ], [ 8, %303 ]
  ret i32 %337
}

define range(i32 1, 0) i32 @lm_run_clusters(ptr noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 208
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 216
  br label %7

7:
  %8 = load i64, ptr %4, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %10, label %24

10:
  %11 = load ptr, ptr %5, align 8
  %12 = load atomic i64, ptr %11 monotonic, align 8
  br label %13

13:
  %14 = phi i64 [ %12, %10 ], [ %22, %17 ]
  %15 = load i64, ptr %6, align 8
  %16 = icmp ult i64 %14, %15
  br i1 %16, label %17, label %27

17:
  %18 = load ptr, ptr %5, align 8
  %19 = add nuw i64 %14, 1
  %20 = cmpxchg ptr %18, i64 %14, i64 %19 monotonic monotonic, align 8
  %21 = extractvalue { i64, i1 } %20, 1
  %22 = extractvalue { i64, i1 } %20, 0
  br i1 %21, label %23, label %13

23:
  tail call void @lm_begin(ptr noundef %0, i64 noundef %14)
  br label %24

24:
  %25 = tail call i32 @lm_run_group(ptr noundef %0)
  %26 = icmp eq i32 %25, 1
  br i1 %26, label %7, label %27

27:
  %28 = phi i32 [ 1, %13 ], [ %25, %24 ]
  ret i32 %28
}

define void @lm_free_nodes(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 480
  %3 = load ptr, ptr %2, align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %5, label %7

5:
  store ptr null, ptr %2, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 424
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(56) %6, i8 0, i64 56, i1 false)
  ret void

7:
  %8 = phi ptr [ %10, %7 ], [ %3, %1 ]
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %10 = load ptr, ptr %9, align 8
  tail call void @free(ptr noundef nonnull %8)
  %11 = icmp eq ptr %10, null
  br i1 %11, label %5, label %7
}

define internal fastcc void @touch_record(ptr noundef %0, ptr noundef captures(none) %1, i64 noundef %2, i64 noundef range(i64 0, 129) %3) unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %6 = load i64, ptr %5, align 8
  %7 = tail call i64 @llvm.umax.i64(i64 %6, i64 %2)
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %9 = load i64, ptr %8, align 8
  %10 = add i64 %3, %2
  %11 = tail call i64 @llvm.umin.i64(i64 %9, i64 %10)
  %12 = icmp samesign ult i64 %3, 128
  %13 = or i64 %11, %7
  %14 = and i64 %13, 15
  %15 = icmp eq i64 %14, 0
  %16 = select i1 %15, i64 16, i64 4
  %17 = select i1 %12, i64 1, i64 %16
  %18 = load i64, ptr %1, align 8
  %19 = icmp sgt i64 %18, -1
  %20 = and i64 %18, 63
  %21 = icmp eq i64 %20, 0
  %22 = or i1 %19, %21
  br i1 %22, label %23, label %135

23:
  %24 = sub i64 %11, %7
  %25 = icmp ult i64 %24, %3
  br i1 %25, label %26, label %261

26:
  %27 = load ptr, ptr %0, align 8
  %28 = getelementptr inbounds nuw i8, ptr %27, i64 16
  %29 = load i32, ptr %28, align 8
  %30 = and i32 %29, 2
  %31 = icmp eq i32 %30, 0
  %32 = and i32 %29, 40
  %33 = icmp ne i32 %32, 0
  %34 = and i1 %31, %33
  br i1 %34, label %261, label %35

35:
  %36 = icmp eq i64 %17, 4
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %38 = load ptr, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 84
  %40 = load i32, ptr %39, align 4
  %41 = icmp eq i32 %40, 1
  %42 = load ptr, ptr %27, align 8
  br i1 %41, label %43, label %46

43:
  %44 = load ptr, ptr %42, align 8
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 136
  br label %50

46:
  %47 = getelementptr inbounds nuw i8, ptr %42, i64 16
  %48 = load ptr, ptr %47, align 8
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 424
  br label %50

50:
  %51 = phi ptr [ %45, %43 ], [ %49, %46 ]
  %52 = getelementptr inbounds nuw i8, ptr %51, i64 16
  %53 = zext i1 %36 to i64
  %54 = select i1 %12, i64 2, i64 %53
  %55 = getelementptr inbounds nuw ptr, ptr %52, i64 %54
  %56 = load ptr, ptr %55, align 8
  %57 = icmp eq ptr %56, null
  br i1 %57, label %60, label %58

58:
  %59 = load ptr, ptr %56, align 8
  store ptr %59, ptr %55, align 8
  br label %100

60:
  %61 = getelementptr inbounds nuw i8, ptr %51, i64 40
  %62 = load i64, ptr %61, align 8
  %63 = getelementptr inbounds nuw i32, ptr @NODE_SIZE, i64 %54
  %64 = load i32, ptr %63, align 4
  %65 = zext i32 %64 to i64
  %66 = icmp ult i64 %62, %65
  br i1 %66, label %70, label %67

67:
  %68 = getelementptr inbounds nuw i8, ptr %51, i64 48
  %69 = load ptr, ptr %68, align 8
  br label %94

70:
  %71 = getelementptr inbounds nuw i8, ptr %51, i64 8
  %72 = load ptr, ptr %71, align 8
  %73 = icmp eq ptr %72, null
  br i1 %73, label %76, label %74

74:
  %75 = load ptr, ptr %72, align 8
  store ptr %75, ptr %71, align 8
  br label %85

76:
  %77 = tail call dereferenceable_or_null(65536) ptr @malloc(i64 noundef 65536)
  %78 = icmp eq ptr %77, null
  br i1 %78, label %258, label %79

79:
  %80 = getelementptr inbounds nuw i8, ptr %42, i64 16
  %81 = load ptr, ptr %80, align 8
  %82 = getelementptr inbounds nuw i8, ptr %81, i64 480
  %83 = load ptr, ptr %82, align 8
  %84 = getelementptr inbounds nuw i8, ptr %77, i64 8
  store ptr %83, ptr %84, align 8
  store ptr %77, ptr %82, align 8
  br label %85

85:
  %86 = phi ptr [ %72, %74 ], [ %77, %79 ]
  %87 = load ptr, ptr %51, align 8
  store ptr %87, ptr %86, align 8
  store ptr %86, ptr %51, align 8
  %88 = ptrtoint ptr %86 to i64
  %89 = sub i64 0, %88
  %90 = and i64 %89, 63
  %91 = or disjoint i64 %90, 64
  %92 = getelementptr inbounds nuw i8, ptr %86, i64 %91
  %93 = sub nuw nsw i64 65536, %91
  br label %94

94:
  %95 = phi i64 [ %62, %67 ], [ %93, %85 ]
  %96 = phi ptr [ %69, %67 ], [ %92, %85 ]
  %97 = getelementptr inbounds nuw i8, ptr %51, i64 48
  %98 = getelementptr inbounds nuw i8, ptr %96, i64 %65
  store ptr %98, ptr %97, align 8
  %99 = sub i64 %95, %65
  store i64 %99, ptr %61, align 8
  br label %100

100:
  %101 = phi ptr [ %56, %58 ], [ %96, %94 ]
  %102 = icmp eq ptr %101, @nowhere
  br i1 %102, label %261, label %103

103:
  %104 = trunc nuw i64 %3 to i8
  %105 = select i1 %15, i8 4, i8 2
  %106 = select i1 %12, i8 0, i8 %105
  %107 = lshr i8 %104, %106
  %108 = load i64, ptr %1, align 8
  %109 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %110 = load i64, ptr %109, align 8
  %111 = icmp samesign ugt i64 %17, %3
  br i1 %111, label %131, label %112

112:
  %113 = zext i8 %107 to i64
  br label %119

114:
  %115 = or i64 %110, %108
  %116 = icmp slt i64 %115, 0
  %117 = icmp ne i8 %107, 1
  %118 = and i1 %117, %116
  br i1 %118, label %125, label %131

119:
  %120 = phi i64 [ 0, %112 ], [ %123, %119 ]
  %121 = getelementptr inbounds nuw %struct.Line, ptr %101, i64 %120
  store i64 %108, ptr %121, align 8
  %122 = getelementptr inbounds nuw i8, ptr %121, i64 8
  store i64 %110, ptr %122, align 8
  %123 = add nuw nsw i64 %120, 1
  %124 = icmp eq i64 %123, %113
  br i1 %124, label %114, label %119

125:
  %126 = phi i64 [ %129, %125 ], [ 1, %114 ]
  %127 = getelementptr inbounds nuw %struct.Line, ptr %101, i64 %126
  tail call fastcc void @copy_set(ptr noundef nonnull readonly %0, ptr noundef nonnull %127)
  %128 = getelementptr inbounds nuw i8, ptr %127, i64 8
  tail call fastcc void @copy_set(ptr noundef nonnull readonly %0, ptr noundef nonnull %128)
  %129 = add nuw nsw i64 %126, 1
  %130 = icmp eq i64 %129, %113
  br i1 %130, label %131, label %125

131:
  %132 = ptrtoint ptr %101 to i64
  %133 = or i64 %17, %132
  %134 = or i64 %133, -9223372036854775808
  store i64 %134, ptr %1, align 8
  store i64 0, ptr %109, align 8
  br label %487

135:
  %136 = icmp samesign ugt i64 %20, %17
  br i1 %136, label %137, label %487

137:
  %138 = load ptr, ptr %0, align 8
  %139 = getelementptr inbounds nuw i8, ptr %138, i64 16
  %140 = load i32, ptr %139, align 8
  %141 = and i32 %140, 2
  %142 = icmp eq i32 %141, 0
  %143 = and i32 %140, 40
  %144 = icmp ne i32 %143, 0
  %145 = and i1 %142, %144
  br i1 %145, label %487, label %146

146:
  %147 = and i64 %18, 9223372036854775744
  %148 = inttoptr i64 %147 to ptr
  %149 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %150 = load ptr, ptr %149, align 8
  %151 = getelementptr inbounds nuw i8, ptr %150, i64 84
  %152 = load i32, ptr %151, align 4
  %153 = icmp eq i32 %152, 1
  %154 = load ptr, ptr %138, align 8
  br i1 %153, label %155, label %158

155:
  %156 = load ptr, ptr %154, align 8
  %157 = getelementptr inbounds nuw i8, ptr %156, i64 136
  br label %162

158:
  %159 = getelementptr inbounds nuw i8, ptr %154, i64 16
  %160 = load ptr, ptr %159, align 8
  %161 = getelementptr inbounds nuw i8, ptr %160, i64 424
  br label %162

162:
  %163 = phi ptr [ %157, %155 ], [ %161, %158 ]
  %164 = getelementptr inbounds nuw i8, ptr %163, i64 24
  %165 = load ptr, ptr %164, align 8
  %166 = icmp eq ptr %165, null
  br i1 %166, label %169, label %167

167:
  %168 = load ptr, ptr %165, align 8
  store ptr %168, ptr %164, align 8
  br label %206

169:
  %170 = getelementptr inbounds nuw i8, ptr %163, i64 40
  %171 = load i64, ptr %170, align 8
  %172 = icmp ult i64 %171, 512
  br i1 %172, label %176, label %173

173:
  %174 = getelementptr inbounds nuw i8, ptr %163, i64 48
  %175 = load ptr, ptr %174, align 8
  br label %200

176:
  %177 = getelementptr inbounds nuw i8, ptr %163, i64 8
  %178 = load ptr, ptr %177, align 8
  %179 = icmp eq ptr %178, null
  br i1 %179, label %182, label %180

180:
  %181 = load ptr, ptr %178, align 8
  store ptr %181, ptr %177, align 8
  br label %191

182:
  %183 = tail call dereferenceable_or_null(65536) ptr @malloc(i64 noundef 65536)
  %184 = icmp eq ptr %183, null
  br i1 %184, label %258, label %185

185:
  %186 = getelementptr inbounds nuw i8, ptr %154, i64 16
  %187 = load ptr, ptr %186, align 8
  %188 = getelementptr inbounds nuw i8, ptr %187, i64 480
  %189 = load ptr, ptr %188, align 8
  %190 = getelementptr inbounds nuw i8, ptr %183, i64 8
  store ptr %189, ptr %190, align 8
  store ptr %183, ptr %188, align 8
  br label %191

191:
  %192 = phi ptr [ %178, %180 ], [ %183, %185 ]
  %193 = load ptr, ptr %163, align 8
  store ptr %193, ptr %192, align 8
  store ptr %192, ptr %163, align 8
  %194 = ptrtoint ptr %192 to i64
  %195 = sub i64 0, %194
  %196 = and i64 %195, 63
  %197 = or disjoint i64 %196, 64
  %198 = getelementptr inbounds nuw i8, ptr %192, i64 %197
  %199 = sub nuw nsw i64 65536, %197
  br label %200

200:
  %201 = phi i64 [ %171, %173 ], [ %199, %191 ]
  %202 = phi ptr [ %175, %173 ], [ %198, %191 ]
  %203 = getelementptr inbounds nuw i8, ptr %163, i64 48
  %204 = getelementptr inbounds nuw i8, ptr %202, i64 512
  store ptr %204, ptr %203, align 8
  %205 = add i64 %201, -512
  store i64 %205, ptr %170, align 8
  br label %206

206:
  %207 = phi ptr [ %165, %167 ], [ %202, %200 ]
  %208 = icmp eq ptr %207, @nowhere
  br i1 %208, label %261, label %232

209:
  %210 = icmp eq i64 %147, ptrtoint (ptr @nowhere to i64)
  br i1 %210, label %229, label %211

211:
  %212 = load ptr, ptr %149, align 8
  %213 = getelementptr inbounds nuw i8, ptr %212, i64 84
  %214 = load i32, ptr %213, align 4
  %215 = icmp eq i32 %214, 1
  %216 = load ptr, ptr %0, align 8
  %217 = load ptr, ptr %216, align 8
  br i1 %215, label %218, label %221

218:
  %219 = load ptr, ptr %217, align 8
  %220 = getelementptr inbounds nuw i8, ptr %219, i64 136
  br label %225

221:
  %222 = getelementptr inbounds nuw i8, ptr %217, i64 16
  %223 = load ptr, ptr %222, align 8
  %224 = getelementptr inbounds nuw i8, ptr %223, i64 424
  br label %225

225:
  %226 = phi ptr [ %220, %218 ], [ %224, %221 ]
  %227 = getelementptr inbounds nuw i8, ptr %226, i64 16
  %228 = load ptr, ptr %227, align 8
  store ptr %228, ptr %148, align 64
  store ptr %148, ptr %227, align 8
  br label %229

229:
  %230 = ptrtoint ptr %207 to i64
  %231 = or i64 %230, -9223372036854775804
  store i64 %231, ptr %1, align 8
  br label %487

232:
  %233 = phi i64 [ %256, %255 ], [ 0, %206 ]
  %234 = shl nuw nsw i64 %233, 6
  %235 = getelementptr inbounds nuw i8, ptr %207, i64 %234
  %236 = getelementptr inbounds nuw %struct.Line, ptr %148, i64 %233
  %237 = load i64, ptr %236, align 16
  %238 = getelementptr inbounds nuw i8, ptr %236, i64 8
  %239 = load i64, ptr %238, align 8
  br label %243

240:
  %241 = or i64 %239, %237
  %242 = icmp slt i64 %241, 0
  br i1 %242, label %249, label %255

243:
  %244 = phi i64 [ 0, %232 ], [ %247, %243 ]
  %245 = getelementptr inbounds nuw %struct.Line, ptr %235, i64 %244
  store i64 %237, ptr %245, align 8
  %246 = getelementptr inbounds nuw i8, ptr %245, i64 8
  store i64 %239, ptr %246, align 8
  %247 = add nuw nsw i64 %244, 1
  %248 = icmp eq i64 %247, 4
  br i1 %248, label %240, label %243

249:
  %250 = phi i64 [ %253, %249 ], [ 1, %240 ]
  %251 = getelementptr inbounds nuw %struct.Line, ptr %235, i64 %250
  tail call fastcc void @copy_set(ptr noundef nonnull readonly %0, ptr noundef nonnull %251)
  %252 = getelementptr inbounds nuw i8, ptr %251, i64 8
  tail call fastcc void @copy_set(ptr noundef nonnull readonly %0, ptr noundef nonnull %252)
  %253 = add nuw nsw i64 %250, 1
  %254 = icmp eq i64 %253, 4
  br i1 %254, label %255, label %249

255:
  %256 = add nuw nsw i64 %233, 1
  %257 = icmp eq i64 %256, 8
  br i1 %257, label %209, label %232

258:
  %259 = phi ptr [ %42, %76 ], [ %154, %182 ]
  %260 = getelementptr inbounds nuw i8, ptr %259, i64 184
  store i32 3, ptr %260, align 8
  br label %261

261:
  %262 = load i64, ptr %1, align 8
  %263 = icmp sgt i64 %262, -1
  %264 = and i64 %262, 63
  %265 = icmp eq i64 %264, 0
  %266 = or i1 %263, %265
  br i1 %266, label %267, label %539

267:
  %268 = load ptr, ptr %0, align 8
  %269 = load ptr, ptr %268, align 8
  %270 = getelementptr inbounds nuw i8, ptr %269, i64 184
  %271 = load i32, ptr %270, align 8
  %272 = icmp eq i32 %271, 3
  br i1 %272, label %539, label %273

273:
  %274 = getelementptr inbounds nuw i8, ptr %268, i64 16
  %275 = load i32, ptr %274, align 8
  %276 = and i32 %275, 2
  %277 = icmp eq i32 %276, 0
  br i1 %277, label %448, label %278

278:
  %279 = and i32 %275, 12
  %280 = icmp eq i32 %279, 0
  %281 = and i32 %275, 16
  %282 = icmp eq i32 %281, 0
  %283 = select i1 %282, i64 4611686018427387904, i64 6917529027641081856
  %284 = getelementptr inbounds nuw i8, ptr %0, i64 44
  %285 = load i32, ptr %284, align 4
  %286 = icmp eq i32 %285, 0
  br i1 %286, label %321, label %287

287:
  %288 = icmp eq i64 %262, 0
  br i1 %288, label %539, label %289

289:
  %290 = getelementptr inbounds nuw i8, ptr %269, i64 16
  %291 = load ptr, ptr %290, align 8
  %292 = getelementptr inbounds nuw i8, ptr %291, i64 416
  %293 = load ptr, ptr %292, align 8
  %294 = getelementptr inbounds nuw i8, ptr %293, i64 4
  %295 = load i32, ptr %294, align 4
  %296 = icmp ugt i32 %295, 1
  br i1 %296, label %297, label %539

297:
  br i1 %263, label %298, label %301

298:
  %299 = tail call fastcc i32 @before(ptr noundef nonnull readonly %0, i64 noundef %262)
  %300 = icmp eq i32 %299, 0
  br i1 %300, label %320, label %539

301:
  %302 = phi i64 [ %318, %317 ], [ %262, %297 ]
  %303 = and i64 %302, 9223372036854775744
  %304 = inttoptr i64 %303 to ptr
  %305 = getelementptr inbounds nuw i8, ptr %304, i64 8
  br label %306

306:
  %307 = phi i64 [ 0, %301 ], [ %315, %314 ]
  %308 = getelementptr inbounds nuw i64, ptr %305, i64 %307
  %309 = load i64, ptr %308, align 8
  %310 = icmp eq i64 %309, 0
  br i1 %310, label %317, label %311

311:
  %312 = tail call fastcc i32 @before(ptr noundef nonnull readonly %0, i64 noundef %309)
  %313 = icmp eq i32 %312, 0
  br i1 %313, label %320, label %314

314:
  %315 = add nuw nsw i64 %307, 1
  %316 = icmp eq i64 %315, 15
  br i1 %316, label %317, label %306

317:
  %318 = load i64, ptr %304, align 64
  %319 = icmp sgt i64 %318, -1
  br i1 %319, label %539, label %301

320:
  store i32 2, ptr %270, align 8
  br label %539

321:
  %322 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %323 = load i64, ptr %322, align 8
  %324 = icmp eq i64 %262, 0
  br i1 %324, label %331, label %325

325:
  %326 = xor i64 %323, %262
  %327 = icmp ult i64 %326, 268435456
  %328 = and i64 %323, 1729382256910270464
  %329 = icmp eq i64 %328, 0
  %330 = and i1 %327, %329
  br i1 %330, label %331, label %341

331:
  %332 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %333 = load i64, ptr %332, align 8
  %334 = icmp eq i64 %333, 0
  br i1 %334, label %410, label %335

335:
  %336 = xor i64 %333, %323
  %337 = icmp ult i64 %336, 268435456
  %338 = and i64 %323, 1729382256910270464
  %339 = icmp eq i64 %338, 0
  %340 = and i1 %339, %337
  br i1 %340, label %410, label %341

341:
  %342 = tail call fastcc i64 @unordered(ptr noundef nonnull %0, i64 noundef %262, i32 noundef 1)
  %343 = icmp eq i64 %342, 0
  br i1 %343, label %345, label %344

344:
  tail call void @conflict(ptr noundef nonnull %0, i64 noundef %2, i64 noundef range(i64 0, 129) %3, i64 noundef %342, i32 noundef 2)
  br label %345

345:
  %346 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %347 = load i64, ptr %346, align 8
  %348 = icmp eq i64 %347, 0
  br i1 %348, label %375, label %349

349:
  %350 = icmp slt i64 %347, 0
  br i1 %350, label %354, label %351

351:
  %352 = tail call fastcc i32 @before(ptr noundef nonnull readonly %0, i64 noundef %347)
  %353 = icmp eq i32 %352, 0
  br i1 %353, label %373, label %375

354:
  %355 = phi i64 [ %371, %370 ], [ %347, %349 ]
  %356 = and i64 %355, 9223372036854775744
  %357 = inttoptr i64 %356 to ptr
  %358 = getelementptr inbounds nuw i8, ptr %357, i64 8
  br label %359

359:
  %360 = phi i64 [ 0, %354 ], [ %368, %367 ]
  %361 = getelementptr inbounds nuw i64, ptr %358, i64 %360
  %362 = load i64, ptr %361, align 8
  %363 = icmp eq i64 %362, 0
  br i1 %363, label %370, label %364

364:
  %365 = tail call fastcc i32 @before(ptr noundef nonnull readonly %0, i64 noundef %362)
  %366 = icmp eq i32 %365, 0
  br i1 %366, label %373, label %367

367:
  %368 = add nuw nsw i64 %360, 1
  %369 = icmp eq i64 %368, 15
  br i1 %369, label %370, label %359

370:
  %371 = load i64, ptr %357, align 64
  %372 = icmp sgt i64 %371, -1
  br i1 %372, label %375, label %354

373:
  %374 = phi i64 [ %347, %351 ], [ %362, %364 ]
  tail call void @conflict(ptr noundef nonnull %0, i64 noundef %2, i64 noundef range(i64 0, 129) %3, i64 noundef %374, i32 noundef 1)
  br label %375

375:
  %376 = getelementptr inbounds nuw i8, ptr %0, i64 52
  %377 = load i32, ptr %376, align 4
  %378 = icmp eq i32 %377, 0
  br i1 %378, label %379, label %539

379:
  %380 = load i64, ptr %346, align 8
  %381 = icmp sgt i64 %380, -1
  br i1 %381, label %410, label %382

382:
  %383 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %384

384:
  %385 = phi i64 [ %380, %382 ], [ %388, %408 ]
  %386 = and i64 %385, 9223372036854775744
  %387 = inttoptr i64 %386 to ptr
  %388 = load i64, ptr %387, align 64
  %389 = icmp eq i64 %386, ptrtoint (ptr @nowhere to i64)
  br i1 %389, label %408, label %390

390:
  %391 = load ptr, ptr %383, align 8
  %392 = getelementptr inbounds nuw i8, ptr %391, i64 84
  %393 = load i32, ptr %392, align 4
  %394 = icmp eq i32 %393, 1
  %395 = load ptr, ptr %0, align 8
  %396 = load ptr, ptr %395, align 8
  br i1 %394, label %397, label %400

397:
  %398 = load ptr, ptr %396, align 8
  %399 = getelementptr inbounds nuw i8, ptr %398, i64 136
  br label %404

400:
  %401 = getelementptr inbounds nuw i8, ptr %396, i64 16
  %402 = load ptr, ptr %401, align 8
  %403 = getelementptr inbounds nuw i8, ptr %402, i64 424
  br label %404

404:
  %405 = phi ptr [ %399, %397 ], [ %403, %400 ]
  %406 = getelementptr inbounds nuw i8, ptr %405, i64 16
  %407 = load ptr, ptr %406, align 8
  store ptr %407, ptr %387, align 64
  store ptr %387, ptr %406, align 8
  br label %408

408:
  %409 = icmp sgt i64 %388, -1
  br i1 %409, label %410, label %384

410:
  %411 = getelementptr inbounds nuw i8, ptr %1, i64 8
  store i64 0, ptr %411, align 8
  br i1 %280, label %415, label %412

412:
  %413 = load i64, ptr %322, align 8
  %414 = or i64 %413, %283
  tail call fastcc void @note(ptr noundef nonnull %0, ptr noundef nonnull %1, i64 noundef %414)
  br label %539

415:
  %416 = load i64, ptr %1, align 8
  %417 = icmp sgt i64 %416, -1
  br i1 %417, label %446, label %418

418:
  %419 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %420

420:
  %421 = phi i64 [ %416, %418 ], [ %424, %444 ]
  %422 = and i64 %421, 9223372036854775744
  %423 = inttoptr i64 %422 to ptr
  %424 = load i64, ptr %423, align 64
  %425 = icmp eq i64 %422, ptrtoint (ptr @nowhere to i64)
  br i1 %425, label %444, label %426

426:
  %427 = load ptr, ptr %419, align 8
  %428 = getelementptr inbounds nuw i8, ptr %427, i64 84
  %429 = load i32, ptr %428, align 4
  %430 = icmp eq i32 %429, 1
  %431 = load ptr, ptr %0, align 8
  %432 = load ptr, ptr %431, align 8
  br i1 %430, label %433, label %436

433:
  %434 = load ptr, ptr %432, align 8
  %435 = getelementptr inbounds nuw i8, ptr %434, i64 136
  br label %440

436:
  %437 = getelementptr inbounds nuw i8, ptr %432, i64 16
  %438 = load ptr, ptr %437, align 8
  %439 = getelementptr inbounds nuw i8, ptr %438, i64 424
  br label %440

440:
  %441 = phi ptr [ %435, %433 ], [ %439, %436 ]
  %442 = getelementptr inbounds nuw i8, ptr %441, i64 16
  %443 = load ptr, ptr %442, align 8
  store ptr %443, ptr %423, align 64
  store ptr %423, ptr %442, align 8
  br label %444

444:
  %445 = icmp sgt i64 %424, -1
  br i1 %445, label %446, label %420

446:
  %447 = load i64, ptr %322, align 8
  store i64 %447, ptr %1, align 8
  br label %539

448:
  %449 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %450 = icmp eq i64 %262, 0
  br i1 %450, label %470, label %451

451:
  %452 = load i64, ptr %449, align 8
  %453 = xor i64 %452, %262
  %454 = icmp ult i64 %453, 268435456
  %455 = and i64 %452, 1729382256910270464
  %456 = icmp eq i64 %455, 0
  %457 = and i1 %454, %456
  br i1 %457, label %470, label %458

458:
  %459 = tail call fastcc i64 @unordered(ptr noundef nonnull %0, i64 noundef %262, i32 noundef 1)
  %460 = icmp eq i64 %459, 0
  br i1 %460, label %462, label %461

461:
  tail call void @conflict(ptr noundef nonnull %0, i64 noundef %2, i64 noundef range(i64 0, 129) %3, i64 noundef %459, i32 noundef 2)
  br label %462

462:
  %463 = getelementptr inbounds nuw i8, ptr %0, i64 52
  %464 = load i32, ptr %463, align 4
  %465 = icmp eq i32 %464, 0
  br i1 %465, label %466, label %539

466:
  %467 = load ptr, ptr %0, align 8
  %468 = getelementptr inbounds nuw i8, ptr %467, i64 16
  %469 = load i32, ptr %468, align 8
  br label %470

470:
  %471 = phi i32 [ %469, %466 ], [ %275, %451 ], [ %275, %448 ]
  %472 = and i32 %471, 40
  %473 = icmp eq i32 %472, 0
  br i1 %473, label %474, label %539

474:
  %475 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %476 = load i64, ptr %475, align 8
  %477 = load i64, ptr %449, align 8
  %478 = icmp eq i64 %476, 0
  br i1 %478, label %485, label %479

479:
  %480 = xor i64 %477, %476
  %481 = icmp ult i64 %480, 268435456
  %482 = and i64 %477, 1729382256910270464
  %483 = icmp eq i64 %482, 0
  %484 = and i1 %481, %483
  br i1 %484, label %485, label %486

485:
  store i64 %477, ptr %475, align 8
  br label %539

486:
  tail call fastcc void @note(ptr noundef nonnull %0, ptr noundef nonnull %475, i64 noundef %477)
  br label %539

487:
  %488 = phi i64 [ %231, %229 ], [ %18, %137 ], [ %18, %135 ], [ %134, %131 ]
  %489 = and i64 %488, 9223372036854775744
  %490 = inttoptr i64 %489 to ptr
  %491 = and i64 %488, 63
  %492 = load i64, ptr %5, align 8
  %493 = tail call i64 @llvm.usub.sat.i64(i64 %492, i64 %2)
  %494 = udiv i64 %493, %491
  %495 = getelementptr inbounds nuw i8, ptr %0, i64 52
  %496 = mul i64 %494, %491
  %497 = icmp ult i64 %496, %3
  br i1 %497, label %498, label %509

498:
  %499 = phi i64 [ %515, %512 ], [ %496, %487 ]
  %500 = phi i64 [ %514, %512 ], [ %494, %487 ]
  %501 = add i64 %499, %2
  %502 = load i64, ptr %8, align 8
  %503 = icmp ult i64 %501, %502
  br i1 %503, label %504, label %507

504:
  %505 = load i32, ptr %495, align 4
  %506 = icmp eq i32 %505, 0
  br i1 %506, label %512, label %507

507:
  %508 = load i64, ptr %5, align 8
  br label %509

509:
  %510 = phi i64 [ %508, %507 ], [ %492, %487 ]
  %511 = icmp ugt i64 %510, %2
  br i1 %511, label %539, label %517

512:
  %513 = getelementptr inbounds nuw %struct.Line, ptr %490, i64 %500
  tail call fastcc void @touch_record(ptr noundef nonnull %0, ptr noundef %513, i64 noundef %501, i64 noundef %491)
  %514 = add i64 %500, 1
  %515 = mul i64 %514, %491
  %516 = icmp ult i64 %515, %3
  br i1 %516, label %498, label %507

517:
  %518 = load i64, ptr %8, align 8
  %519 = icmp ult i64 %518, %10
  br i1 %519, label %539, label %520

520:
  %521 = load ptr, ptr %0, align 8
  %522 = getelementptr inbounds nuw i8, ptr %521, i64 16
  %523 = load i32, ptr %522, align 8
  %524 = and i32 %523, 2
  %525 = icmp eq i32 %524, 0
  br i1 %525, label %539, label %526

526:
  %527 = getelementptr inbounds nuw i8, ptr %0, i64 44
  %528 = load i32, ptr %527, align 4
  %529 = icmp eq i32 %528, 0
  br i1 %529, label %530, label %539

530:
  %531 = load i32, ptr %495, align 4
  %532 = and i32 %523, 12
  %533 = or i32 %531, %532
  %534 = icmp eq i32 %533, 0
  br i1 %534, label %535, label %539

535:
  tail call fastcc void @drop_children(ptr noundef nonnull %0, ptr noundef nonnull %1, i64 noundef %3)
  %536 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %537 = load i64, ptr %536, align 8
  store i64 %537, ptr %1, align 8
  %538 = getelementptr inbounds nuw i8, ptr %1, i64 8
  store i64 0, ptr %538, align 8
  br label %539

539:
  ret void
}

define i64 @find_stamp(ptr noundef %0, ptr noundef readonly captures(none) %1, i64 noundef %2, i64 noundef %3, ptr noundef readonly captures(none) %4, ptr noundef writeonly captures(none) %5) local_unnamed_addr {
  %7 = lshr i64 %2, 7
  %8 = add i64 %3, -1
  %9 = lshr i64 %8, 7
  %10 = icmp samesign ugt i64 %7, %9
  br i1 %10, label %33, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %14 = getelementptr inbounds nuw i8, ptr %1, i64 48
  br label %15

15:
  %16 = phi i64 [ %7, %11 ], [ %31, %30 ]
  %17 = load ptr, ptr %12, align 8
  %18 = lshr i64 %16, 5
  %19 = getelementptr inbounds nuw i32, ptr %17, i64 %18
  %20 = load i32, ptr %19, align 4
  %21 = lshr i32 %20, 4
  %22 = load i32, ptr %13, align 8
  %23 = icmp eq i32 %21, %22
  br i1 %23, label %24, label %30

24:
  %25 = shl nuw i64 %16, 7
  %26 = load ptr, ptr %14, align 8
  %27 = getelementptr inbounds nuw %struct.Line, ptr %26, i64 %16
  %28 = tail call fastcc i64 @find_in(ptr noundef %27, i64 noundef %25, i64 noundef 128, i64 noundef %2, i64 noundef %3, ptr noundef %4, ptr noundef %0, ptr noundef %5)
  %29 = icmp eq i64 %28, 0
  br i1 %29, label %30, label %33

30:
  %31 = add nuw nsw i64 %16, 1
  %32 = icmp eq i64 %16, %9
  br i1 %32, label %33, label %15

33:
  %34 = phi i64 [ 0, %6 ], [ 0, %30 ], [ %28, %24 ]
  ret i64 %34
}

define internal fastcc i64 @find_in(ptr noundef readonly captures(none) %0, i64 noundef %1, i64 noundef range(i64 0, 129) %2, i64 noundef %3, i64 noundef %4, ptr noundef readonly captures(none) %5, ptr noundef %6, ptr noundef writeonly captures(none) %7) unnamed_addr {
  %9 = icmp ult i64 %1, %4
  %10 = add i64 %2, %1
  %11 = icmp ugt i64 %10, %3
  %12 = and i1 %11, %9
  br i1 %12, label %13, label %75

13:
  %14 = load i64, ptr %0, align 8
  %15 = icmp sgt i64 %14, -1
  %16 = and i64 %14, 63
  %17 = icmp eq i64 %16, 0
  %18 = or i1 %15, %17
  br i1 %18, label %37, label %19

19:
  %20 = and i64 %14, 9223372036854775744
  %21 = inttoptr i64 %20 to ptr
  %22 = trunc nuw i64 %2 to i8
  %23 = trunc nuw nsw i64 %16 to i8
  %24 = udiv i8 %22, %23
  %25 = zext i8 %24 to i64
  %26 = icmp samesign ugt i64 %16, %2
  br i1 %26, label %75, label %27

27:
  %28 = phi i64 [ %33, %27 ], [ 0, %19 ]
  %29 = getelementptr inbounds nuw %struct.Line, ptr %21, i64 %28
  %30 = mul nuw nsw i64 %28, %16
  %31 = add i64 %30, %1
  %32 = tail call fastcc i64 @find_in(ptr noundef %29, i64 noundef %31, i64 noundef %16, i64 noundef %3, i64 noundef %4, ptr noundef %5, ptr noundef %6, ptr noundef %7)
  %33 = add nuw nsw i64 %28, 1
  %34 = icmp samesign ult i64 %33, %25
  %35 = icmp eq i64 %32, 0
  %36 = select i1 %34, i1 %35, i1 false
  br i1 %36, label %27, label %75

37:
  %38 = tail call i64 @llvm.umax.i64(i64 %1, i64 %3)
  store i64 %38, ptr %7, align 8
  %39 = load i64, ptr %0, align 8
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %41 = load i64, ptr %40, align 8
  br label %42

42:
  %43 = phi i1 [ true, %37 ], [ false, %72 ]
  %44 = phi i64 [ %39, %37 ], [ %41, %72 ]
  %45 = icmp slt i64 %44, 1
  br i1 %45, label %50, label %46

46:
  %47 = tail call i32 %5(ptr noundef %6, i64 noundef %44)
  %48 = icmp eq i32 %47, 0
  %49 = and i1 %48, %43
  br i1 %49, label %72, label %73

50:
  %51 = icmp sgt i64 %44, -1
  br i1 %51, label %71, label %52

52:
  %53 = phi i64 [ %69, %68 ], [ %44, %50 ]
  %54 = and i64 %53, 9223372036854775744
  %55 = inttoptr i64 %54 to ptr
  %56 = getelementptr inbounds nuw i8, ptr %55, i64 8
  br label %57

57:
  %58 = phi i64 [ 0, %52 ], [ %66, %65 ]
  %59 = getelementptr inbounds nuw i64, ptr %56, i64 %58
  %60 = load i64, ptr %59, align 8
  %61 = icmp eq i64 %60, 0
  br i1 %61, label %65, label %62

62:
  %63 = tail call i32 %5(ptr noundef %6, i64 noundef %60)
  %64 = icmp eq i32 %63, 0
  br i1 %64, label %65, label %75

65:
  %66 = add nuw nsw i64 %58, 1
  %67 = icmp eq i64 %66, 15
  br i1 %67, label %68, label %57

68:
  %69 = load i64, ptr %55, align 64
  %70 = icmp sgt i64 %69, -1
  br i1 %70, label %71, label %52

71:
  br i1 %43, label %72, label %75

72:
  br label %42

73:
  %74 = select i1 %48, i64 0, i64 %44
  br label %75

75:
  %76 = phi i64 [ 0, %71 ], [ 0, %8 ], [ 0, %19 ], [ %60, %62 ], [ %74, %73 ], [ %32, %27 ]
  ret i64 %76
}

define void @conflict(ptr noundef %0, i64 noundef %1, i64 noundef %2, i64 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = alloca %struct.HazardRecord, align 8
  %7 = load ptr, ptr %0, align 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %10 = load i32, ptr %9, align 8
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %14, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 52
  store i32 1, ptr %13, align 4
  br label %66

14:
  %15 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %16 = load ptr, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 128
  %18 = load i64, ptr %17, align 8
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %20, label %22

20:
  %21 = getelementptr inbounds nuw i8, ptr %8, i64 184
  store i32 2, ptr %21, align 8
  br label %66

22:
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  %23 = getelementptr inbounds nuw i8, ptr %6, i64 80
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %23, i8 0, i64 32, i1 false)
  call fastcc void @describe(ptr noundef nonnull %0, i64 noundef %1, i64 noundef %2, i64 noundef %3, i32 noundef %4, ptr noundef %6)
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %25 = load i64, ptr %24, align 8
  %26 = and i64 %3, 1729382256910270464
  %27 = icmp ne i64 %26, 0
  %28 = and i64 %25, 1729382256910270464
  %29 = icmp ne i64 %28, 0
  %30 = select i1 %27, i1 true, i1 %29
  br i1 %30, label %31, label %34

31:
  %32 = getelementptr inbounds nuw i8, ptr %16, i64 584
  %33 = load ptr, ptr %32, align 8
  call void %33(ptr noundef nonnull %0, ptr noundef nonnull %6, i64 noundef %3)
  br label %53

34:
  %35 = getelementptr inbounds nuw i8, ptr %16, i64 408
  %36 = load i64, ptr %35, align 8
  %37 = icmp eq i64 %36, 0
  br i1 %37, label %38, label %53

38:
  %39 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %40 = load i32, ptr %39, align 8
  %41 = and i32 %40, 35
  %42 = icmp eq i32 %41, 1
  br i1 %42, label %43, label %48

43:
  %44 = call i32 @race_of_load(ptr noundef nonnull %0, ptr noundef nonnull %6, i64 poison, i64 poison)
  %45 = icmp eq i32 %44, 0
  br i1 %45, label %53, label %46

46:
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 56
  store i32 %44, ptr %47, align 8
  br label %65

48:
  %49 = icmp eq i32 %4, 1
  br i1 %49, label %50, label %53

50:
  %51 = call i32 @race_of_store(ptr noundef nonnull %0, ptr noundef nonnull %6, i64 noundef %3, i64 noundef %1, i64 noundef %2)
  %52 = icmp eq i32 %51, 0
  br i1 %52, label %53, label %65

53:
  %54 = load i32, ptr %6, align 8
  %55 = getelementptr inbounds nuw i8, ptr %6, i64 4
  %56 = load i32, ptr %55, align 4
  %57 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %58 = load i64, ptr %57, align 8
  %59 = call ptr @lm_hazard(ptr noundef nonnull %8, i32 noundef %54, i32 noundef %56, i64 noundef %58)
  %60 = load ptr, ptr %15, align 8
  %61 = getelementptr inbounds nuw i8, ptr %60, i64 288
  %62 = icmp eq ptr %59, %61
  br i1 %62, label %65, label %63

63:
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(112) %59, ptr noundef nonnull readonly align 8 dereferenceable(112) %6, i64 112, i1 false)
  %64 = getelementptr inbounds nuw i8, ptr %59, i64 88
  store i32 1, ptr %64, align 8
  br label %65

65:
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  br label %66

66:
  ret void
}

define internal fastcc void @describe(ptr noundef readonly captures(none) %0, i64 noundef %1, i64 noundef %2, i64 noundef %3, i32 noundef %4, ptr noundef nonnull writeonly captures(none) initializes((0, 80), (84, 100)) %5) unnamed_addr {
  %7 = load ptr, ptr %0, align 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %10 = load i64, ptr %9, align 8
  %11 = tail call i64 @llvm.umax.i64(i64 %1, i64 %10)
  %12 = add i64 %2, %1
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %14 = load i64, ptr %13, align 8
  %15 = tail call i64 @llvm.umin.i64(i64 %12, i64 %14)
  store i32 5, ptr %5, align 8
  %16 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %17 = load i32, ptr %16, align 8
  %18 = getelementptr inbounds nuw i8, ptr %5, i64 4
  store i32 %17, ptr %18, align 4
  %19 = getelementptr inbounds nuw i8, ptr %8, i64 28
  %20 = load i32, ptr %19, align 4
  %21 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store i32 %20, ptr %21, align 8
  %22 = load ptr, ptr %8, align 8
  %23 = load i64, ptr %22, align 8
  %24 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %25 = load ptr, ptr %24, align 8
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 88
  %27 = load i64, ptr %26, align 8
  %28 = sub i64 %23, %27
  %29 = getelementptr inbounds nuw i8, ptr %5, i64 16
  store i64 %28, ptr %29, align 8
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %31 = load i32, ptr %30, align 8
  %32 = getelementptr inbounds nuw i8, ptr %5, i64 92
  store i32 %31, ptr %32, align 4
  %33 = zext nneg i32 %31 to i64
  %34 = shl nuw i64 1, %33
  %35 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store i64 %34, ptr %35, align 8
  %36 = getelementptr inbounds nuw i8, ptr %5, i64 88
  store i32 1, ptr %36, align 8
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %38 = load ptr, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 84
  %40 = load i32, ptr %39, align 4
  %41 = getelementptr inbounds nuw i8, ptr %5, i64 84
  store i32 %40, ptr %41, align 4
  %42 = load i64, ptr %38, align 8
  %43 = add i64 %42, %11
  %44 = getelementptr inbounds nuw i8, ptr %5, i64 32
  store i64 %43, ptr %44, align 8
  %45 = sub i64 %15, %11
  %46 = getelementptr inbounds nuw i8, ptr %5, i64 40
  store i64 %45, ptr %46, align 8
  %47 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %48 = load i32, ptr %47, align 8
  %49 = and i32 %48, 3
  %50 = shl i32 %4, 8
  %51 = or disjoint i32 %49, %50
  %52 = getelementptr inbounds nuw i8, ptr %5, i64 12
  store i32 %51, ptr %52, align 4
  %53 = lshr i64 %3, 37
  %54 = and i64 %53, 2097151
  %55 = getelementptr inbounds nuw i8, ptr %5, i64 48
  store i64 %54, ptr %55, align 8
  %56 = lshr i64 %3, 28
  %57 = and i64 %56, 511
  %58 = getelementptr inbounds nuw i8, ptr %5, i64 56
  store i64 %57, ptr %58, align 8
  %59 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %60 = load i64, ptr %59, align 8
  %61 = lshr i64 %60, 37
  %62 = and i64 %61, 2097151
  %63 = icmp eq i64 %54, %62
  %64 = zext i1 %63 to i64
  %65 = getelementptr inbounds nuw i8, ptr %5, i64 64
  store i64 %64, ptr %65, align 8
  %66 = and i64 %3, 4611686018427387904
  %67 = icmp ne i64 %66, 0
  %68 = and i32 %48, 12
  %69 = icmp ne i32 %68, 0
  %70 = select i1 %67, i1 %69, i1 false
  %71 = zext i1 %70 to i64
  %72 = getelementptr inbounds nuw i8, ptr %5, i64 72
  store i64 %71, ptr %72, align 8
  %73 = tail call i32 @logged(ptr noundef nonnull %8, i64 noundef %3)
  %74 = getelementptr inbounds nuw i8, ptr %5, i64 96
  store i32 %73, ptr %74, align 8
  ret void
}

define internal fastcc void @follow_plane(ptr noundef readonly captures(none) %0, i32 noundef %1, ptr noundef readonly captures(none) %2, ptr noundef writeonly captures(none) %3) unnamed_addr {
  %5 = load i32, ptr %0, align 8
  %6 = icmp eq i32 %5, 32
  br i1 %6, label %7, label %30

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %9 = load ptr, ptr %8, align 8
  %10 = icmp eq i32 %1, 0
  br i1 %10, label %112, label %11

11:
  %12 = zext i32 %1 to i64
  br label %13

13:
  %14 = phi i64 [ 0, %11 ], [ %28, %23 ]
  %15 = getelementptr inbounds nuw i32, ptr %9, i64 %14
  %16 = load i32, ptr %15, align 4
  %17 = icmp eq i32 %16, -1
  br i1 %17, label %23, label %18

18:
  %19 = zext i32 %16 to i64
  %20 = shl nuw nsw i64 %19, 2
  %21 = getelementptr inbounds nuw i8, ptr %2, i64 %20
  %22 = load i32, ptr %21, align 1
  br label %23

23:
  %24 = phi i32 [ %22, %18 ], [ 0, %13 ]
  %25 = shl i64 %14, 2
  %26 = and i64 %25, 4294967292
  %27 = getelementptr inbounds nuw i8, ptr %3, i64 %26
  store i32 %24, ptr %27, align 1
  %28 = add nuw nsw i64 %14, 1
  %29 = icmp eq i64 %28, %12
  br i1 %29, label %112, label %13

30:
  %31 = icmp ugt i32 %5, 7
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %33 = load ptr, ptr %32, align 8
  br i1 %31, label %34, label %68

34:
  %35 = shl i32 %1, 5
  %36 = lshr i32 %5, 3
  %37 = icmp ugt i32 %5, %35
  br i1 %37, label %112, label %38

38:
  %39 = udiv i32 %35, %5
  %40 = zext nneg i32 %36 to i64
  %41 = zext nneg i32 %39 to i64
  br label %42

42:
  %43 = phi i64 [ 0, %38 ], [ %48, %47 ]
  %44 = getelementptr inbounds nuw i32, ptr %33, i64 %43
  %45 = trunc nuw i64 %43 to i32
  %46 = mul i32 %36, %45
  br label %50

47:
  %48 = add nuw nsw i64 %43, 1
  %49 = icmp eq i64 %48, %41
  br i1 %49, label %112, label %42

50:
  %51 = phi i64 [ 0, %42 ], [ %66, %60 ]
  %52 = load i32, ptr %44, align 4
  %53 = icmp eq i32 %52, -1
  br i1 %53, label %60, label %54

54:
  %55 = zext i32 %52 to i64
  %56 = mul nuw nsw i64 %55, %40
  %57 = getelementptr inbounds nuw i8, ptr %2, i64 %56
  %58 = getelementptr inbounds nuw i8, ptr %57, i64 %51
  %59 = load i8, ptr %58, align 1
  br label %60

60:
  %61 = phi i8 [ %59, %54 ], [ 0, %50 ]
  %62 = trunc nuw nsw i64 %51 to i32
  %63 = add i32 %46, %62
  %64 = zext i32 %63 to i64
  %65 = getelementptr inbounds nuw i8, ptr %3, i64 %64
  store i8 %61, ptr %65, align 1
  %66 = add nuw nsw i64 %51, 1
  %67 = icmp eq i64 %66, %40
  br i1 %67, label %47, label %50

68:
  %69 = trunc nuw nsw i32 %5 to i8
  %70 = udiv i8 32, %69
  %71 = zext nneg i8 %70 to i64
  %72 = icmp eq i32 %1, 0
  br i1 %72, label %112, label %73

73:
  %74 = shl nsw i32 -1, %5
  %75 = xor i32 %74, -1
  %76 = zext i32 %1 to i64
  br label %77

77:
  %78 = phi i64 [ 0, %73 ], [ %84, %80 ]
  %79 = mul nuw nsw i64 %78, %71
  br label %86

80:
  %81 = shl i64 %78, 2
  %82 = and i64 %81, 4294967292
  %83 = getelementptr inbounds nuw i8, ptr %3, i64 %82
  store i32 %109, ptr %83, align 1
  %84 = add nuw nsw i64 %78, 1
  %85 = icmp eq i64 %84, %76
  br i1 %85, label %112, label %77

86:
  %87 = phi i64 [ 0, %77 ], [ %110, %108 ]
  %88 = phi i32 [ 0, %77 ], [ %109, %108 ]
  %89 = add nuw nsw i64 %87, %79
  %90 = and i64 %89, 4294967295
  %91 = getelementptr inbounds nuw i32, ptr %33, i64 %90
  %92 = load i32, ptr %91, align 4
  %93 = icmp eq i32 %92, -1
  br i1 %93, label %108, label %94

94:
  %95 = mul i32 %92, %5
  %96 = lshr i32 %95, 3
  %97 = zext nneg i32 %96 to i64
  %98 = getelementptr inbounds nuw i8, ptr %2, i64 %97
  %99 = load i8, ptr %98, align 1
  %100 = zext i8 %99 to i32
  %101 = and i32 %95, 7
  %102 = lshr i32 %100, %101
  %103 = and i32 %102, %75
  %104 = trunc i64 %87 to i32
  %105 = mul i32 %5, %104
  %106 = shl i32 %103, %105
  %107 = or i32 %106, %88
  br label %108

108:
  %109 = phi i32 [ %107, %94 ], [ %88, %86 ]
  %110 = add nuw nsw i64 %87, 1
  %111 = icmp samesign ult i64 %110, %71
  br i1 %111, label %86, label %80

112:
  ret void
}

define void @lm_gather_chunks(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr {
  %8 = alloca %struct.Moved, align 4
  %9 = alloca %struct.Moved, align 4
  %10 = alloca %struct.Table, align 8
  %11 = alloca %struct.Access, align 8
  %12 = alloca %struct.Range, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 136
  %16 = load ptr, ptr %15, align 8
  %17 = zext i32 %6 to i64
  %18 = getelementptr inbounds nuw ptr, ptr %16, i64 %17
  %19 = load ptr, ptr %18, align 8
  %20 = load i32, ptr %19, align 4
  store i32 %20, ptr %10, align 8
  %21 = getelementptr inbounds nuw i8, ptr %10, i64 4
  %22 = getelementptr inbounds nuw i8, ptr %19, i64 4
  %23 = load i32, ptr %22, align 4
  store i32 %23, ptr %21, align 4
  %24 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %25 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %26 = load i32, ptr %25, align 4
  store i32 %26, ptr %24, align 8
  %27 = getelementptr inbounds nuw i8, ptr %10, i64 12
  store i32 0, ptr %27, align 4
  %28 = getelementptr inbounds nuw i8, ptr %10, i64 16
  %29 = getelementptr inbounds nuw i8, ptr %19, i64 12
  store ptr %29, ptr %28, align 8
  %30 = getelementptr inbounds nuw i8, ptr %10, i64 24
  %31 = getelementptr inbounds nuw i8, ptr %10, i64 32
  %32 = mul i32 %23, 3
  %33 = zext i32 %32 to i64
  %34 = getelementptr inbounds nuw i32, ptr %29, i64 %33
  store ptr %34, ptr %30, align 8
  %35 = zext i32 %26 to i64
  %36 = getelementptr inbounds nuw i32, ptr %34, i64 %35
  store ptr %36, ptr %31, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %38 = load i64, ptr %37, align 8
  %39 = add i64 %38, 1
  store i64 %39, ptr %37, align 8
  store ptr %0, ptr %11, align 8
  %40 = getelementptr inbounds nuw i8, ptr %11, i64 8
  store i32 %1, ptr %40, align 8
  %41 = getelementptr inbounds nuw i8, ptr %11, i64 12
  store i32 1, ptr %41, align 4
  %42 = getelementptr inbounds nuw i8, ptr %11, i64 16
  store i32 1, ptr %42, align 8
  %43 = getelementptr inbounds nuw i8, ptr %11, i64 20
  store i32 %4, ptr %43, align 4
  %44 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %46 = load i64, ptr %45, align 8
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %48 = load i32, ptr %47, align 4
  %49 = zext i32 %48 to i64
  %50 = shl nuw nsw i64 %49, 28
  %51 = load ptr, ptr %0, align 8
  %52 = load i64, ptr %51, align 8
  %53 = getelementptr inbounds nuw i8, ptr %14, i64 88
  %54 = load i64, ptr %53, align 8
  %55 = sub i64 %52, %54
  %56 = shl i64 %55, 37
  %57 = or i64 %50, %46
  %58 = or i64 %57, %56
  store i64 %58, ptr %44, align 8
  %59 = getelementptr inbounds nuw i8, ptr %11, i64 32
  %60 = or i64 %56, %50
  %61 = or i64 %60, %39
  %62 = or i64 %61, 288230376151711744
  store i64 %62, ptr %59, align 8
  %63 = getelementptr inbounds nuw i8, ptr %11, i64 40
  store ptr null, ptr %63, align 8
  %64 = getelementptr inbounds nuw i8, ptr %14, i64 528
  %65 = load ptr, ptr %64, align 8
  %66 = icmp eq ptr %65, null
  br i1 %66, label %82, label %67

67:
  %68 = getelementptr inbounds nuw i8, ptr %65, i64 16
  %69 = load ptr, ptr %68, align 8
  %70 = load i64, ptr %65, align 8
  %71 = getelementptr inbounds nuw i8, ptr %65, i64 8
  %72 = load i64, ptr %71, align 8
  %73 = urem i64 %70, %72
  %74 = getelementptr inbounds nuw i64, ptr %69, i64 %73
  store i64 %62, ptr %74, align 8
  %75 = getelementptr inbounds nuw i8, ptr %65, i64 24
  %76 = load ptr, ptr %75, align 8
  %77 = load i64, ptr %65, align 8
  %78 = add i64 %77, 1
  store i64 %78, ptr %65, align 8
  %79 = load i64, ptr %71, align 8
  %80 = urem i64 %77, %79
  %81 = getelementptr inbounds nuw i32, ptr %76, i64 %80
  store i32 %1, ptr %81, align 4
  br label %82

82:
  %83 = getelementptr inbounds nuw i8, ptr %14, i64 108
  %84 = load i32, ptr %83, align 4
  %85 = icmp eq i32 %84, 0
  br i1 %85, label %99, label %86

86:
  %87 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %88 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %89 = getelementptr inbounds nuw i8, ptr %12, i64 12
  %90 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %91 = getelementptr inbounds nuw i8, ptr %12, i64 20
  %92 = getelementptr inbounds nuw i8, ptr %12, i64 24
  %93 = getelementptr inbounds nuw i8, ptr %12, i64 32
  %94 = getelementptr inbounds nuw i8, ptr %12, i64 40
  %95 = getelementptr inbounds nuw i8, ptr %8, i64 32768
  %96 = getelementptr inbounds nuw i8, ptr %8, i64 65536
  br label %109

97:
  %98 = mul i32 %129, %3
  br label %99

99:
  %100 = phi ptr [ %14, %82 ], [ %127, %97 ]
  %101 = phi i32 [ 0, %82 ], [ %98, %97 ]
  call void @follow(ptr noundef nonnull %0, ptr noundef nonnull %10, i32 noundef %101, ptr noundef nonnull %8, ptr noundef nonnull %9, i32 noundef 1, i32 noundef 0)
  %102 = getelementptr inbounds nuw i8, ptr %100, i64 128
  %103 = load i64, ptr %102, align 8
  %104 = icmp eq i64 %103, 0
  br i1 %104, label %140, label %105

105:
  %106 = shl i32 %3, 2
  %107 = getelementptr inbounds nuw i8, ptr %9, i64 32768
  %108 = getelementptr inbounds nuw i8, ptr %9, i64 65536
  br label %132

109:
  %110 = phi i64 [ 0, %86 ], [ %126, %124 ]
  %111 = phi ptr [ %14, %86 ], [ %127, %124 ]
  %112 = trunc nuw i64 %110 to i32
  %113 = mul i32 %2, %112
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  %114 = getelementptr inbounds nuw i64, ptr %87, i64 %110
  %115 = load i64, ptr %114, align 8
  store i64 %115, ptr %12, align 8
  store i32 %2, ptr %88, align 8
  store i32 0, ptr %89, align 4
  store i32 %112, ptr %90, align 8
  store i32 0, ptr %91, align 4
  %116 = zext i32 %113 to i64
  %117 = getelementptr inbounds nuw i8, ptr %8, i64 %116
  store ptr %117, ptr %92, align 8
  %118 = getelementptr inbounds nuw i8, ptr %111, i64 128
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %93, i8 0, i64 24, i1 false)
  %119 = load i64, ptr %118, align 8
  %120 = icmp eq i64 %119, 0
  br i1 %120, label %124, label %121

121:
  %122 = getelementptr inbounds nuw i8, ptr %95, i64 %116
  store ptr %122, ptr %93, align 8
  %123 = getelementptr inbounds nuw i32, ptr %96, i64 %116
  store ptr %123, ptr %94, align 8
  br label %124

124:
  %125 = call i32 @access(ptr noundef nonnull %11, ptr noundef nonnull %12)
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  %126 = add nuw nsw i64 %110, 1
  %127 = load ptr, ptr %13, align 8
  %128 = getelementptr inbounds nuw i8, ptr %127, i64 108
  %129 = load i32, ptr %128, align 4
  %130 = zext i32 %129 to i64
  %131 = icmp samesign ult i64 %126, %130
  br i1 %131, label %109, label %97

132:
  %133 = phi ptr [ %100, %105 ], [ %235, %234 ]
  %134 = phi i64 [ 0, %105 ], [ %236, %234 ]
  %135 = getelementptr inbounds nuw i8, ptr %133, i64 108
  %136 = load i32, ptr %135, align 4
  %137 = mul i32 %106, %136
  %138 = zext i32 %137 to i64
  %139 = icmp samesign ult i64 %134, %138
  br i1 %139, label %214, label %140

140:
  %141 = phi ptr [ %100, %99 ], [ %235, %234 ], [ %133, %132 ]
  %142 = getelementptr inbounds nuw i8, ptr %141, i64 128
  %143 = getelementptr inbounds nuw i8, ptr %141, i64 108
  %144 = load i32, ptr %143, align 4
  %145 = icmp eq i32 %144, 0
  br i1 %145, label %203, label %146

146:
  %147 = icmp eq i32 %3, 0
  %148 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %149 = getelementptr inbounds nuw i8, ptr %9, i64 32768
  %150 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %151 = getelementptr inbounds nuw i8, ptr %9, i64 65536
  %152 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %153 = zext i32 %144 to i64
  %154 = zext i32 %3 to i64
  br label %155

155:
  %156 = phi i64 [ 0, %146 ], [ %164, %163 ]
  br i1 %147, label %163, label %157

157:
  %158 = trunc nuw i64 %156 to i32
  %159 = mul i32 %3, %158
  %160 = getelementptr inbounds nuw i32, ptr %148, i64 %156
  %161 = getelementptr inbounds nuw i32, ptr %150, i64 %156
  %162 = getelementptr inbounds nuw i32, ptr %152, i64 %156
  br label %166

163:
  %164 = add nuw nsw i64 %156, 1
  %165 = icmp eq i64 %164, %153
  br i1 %165, label %203, label %155

166:
  %167 = phi i64 [ 0, %157 ], [ %201, %200 ]
  %168 = trunc nuw i64 %167 to i32
  %169 = add i32 %159, %168
  %170 = shl i32 %169, 2
  %171 = add i32 %5, %168
  %172 = zext i32 %171 to i64
  %173 = getelementptr inbounds nuw [64 x i32], ptr %160, i64 %172
  %174 = zext i32 %170 to i64
  %175 = getelementptr inbounds nuw i8, ptr %9, i64 %174
  %176 = load i32, ptr %175, align 4
  store i32 %176, ptr %173, align 4
  %177 = load i64, ptr %142, align 8
  %178 = icmp eq i64 %177, 0
  br i1 %178, label %200, label %179

179:
  %180 = getelementptr inbounds nuw i8, ptr %149, i64 %174
  %181 = load i32, ptr %180, align 4
  %182 = getelementptr inbounds nuw [64 x i32], ptr %161, i64 %172
  store i32 %181, ptr %182, align 4
  br label %185

183:
  %184 = getelementptr inbounds nuw [64 x i32], ptr %162, i64 %172
  store i32 %195, ptr %184, align 4
  br label %200

185:
  %186 = phi i64 [ 0, %179 ], [ %196, %194 ]
  %187 = or disjoint i64 %186, %174
  %188 = getelementptr inbounds nuw i8, ptr %149, i64 %187
  %189 = load i8, ptr %188, align 1
  %190 = icmp eq i8 %189, 0
  br i1 %190, label %194, label %191

191:
  %192 = getelementptr inbounds nuw i32, ptr %151, i64 %187
  %193 = load i32, ptr %192, align 4
  br label %194

194:
  %195 = phi i32 [ %193, %191 ], [ 0, %185 ]
  %196 = add nuw nsw i64 %186, 1
  %197 = icmp samesign ult i64 %186, 3
  %198 = icmp eq i32 %195, 0
  %199 = select i1 %197, i1 %198, i1 false
  br i1 %199, label %185, label %183

200:
  %201 = add nuw nsw i64 %167, 1
  %202 = icmp eq i64 %201, %154
  br i1 %202, label %163, label %166

203:
  %204 = load i64, ptr %142, align 8
  %205 = icmp eq i64 %204, 0
  br i1 %205, label %206, label %240

206:
  %207 = load i32, ptr %143, align 4
  %208 = shl i32 %3, 2
  %209 = mul i32 %208, %207
  %210 = getelementptr inbounds nuw i8, ptr %9, i64 32768
  %211 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %212 = zext i32 %209 to i64
  %213 = icmp eq i32 %209, 0
  br i1 %213, label %240, label %241

214:
  %215 = getelementptr inbounds nuw i8, ptr %107, i64 %134
  %216 = load i8, ptr %215, align 1
  %217 = icmp eq i8 %216, 0
  br i1 %217, label %234, label %218

218:
  %219 = trunc nuw i64 %134 to i32
  %220 = and i32 %219, 3
  %221 = icmp eq i32 %220, 0
  br i1 %221, label %228, label %222

222:
  %223 = add nuw nsw i64 %134, 4294967295
  %224 = and i64 %223, 4294967295
  %225 = getelementptr inbounds nuw i8, ptr %107, i64 %224
  %226 = load i8, ptr %225, align 1
  %227 = icmp eq i8 %226, 0
  br i1 %227, label %228, label %234

228:
  %229 = getelementptr inbounds nuw i32, ptr %108, i64 %134
  %230 = load i32, ptr %229, align 4
  %231 = udiv i32 %219, %106
  %232 = call fastcc i32 @received(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %230, i32 noundef %231)
  store i32 %232, ptr %229, align 4
  %233 = load ptr, ptr %13, align 8
  br label %234

234:
  %235 = phi ptr [ %133, %214 ], [ %133, %222 ], [ %233, %228 ]
  %236 = add nuw nsw i64 %134, 1
  %237 = getelementptr inbounds nuw i8, ptr %235, i64 128
  %238 = load i64, ptr %237, align 8
  %239 = icmp eq i64 %238, 0
  br i1 %239, label %140, label %132

240:
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  ret void

241:
  %242 = phi i64 [ %248, %247 ], [ 0, %206 ]
  %243 = getelementptr inbounds nuw i8, ptr %210, i64 %242
  %244 = load i8, ptr %243, align 1
  %245 = icmp eq i8 %244, 0
  br i1 %245, label %247, label %246

246:
  store i32 2, ptr %211, align 8
  br label %247

247:
  %248 = add nuw nsw i64 %242, 1
  %249 = icmp eq i64 %248, %212
  br i1 %249, label %240, label %241
}

define internal fastcc i32 @received(ptr noundef readonly captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load ptr, ptr %5, align 8
  %7 = icmp eq i32 %2, 0
  br i1 %7, label %39, label %8

8:
  %9 = zext i32 %2 to i64
  %10 = getelementptr inbounds nuw i8, ptr %6, i64 48
  %11 = load i64, ptr %10, align 8
  %12 = icmp ugt i64 %11, %9
  br i1 %12, label %13, label %39

13:
  %14 = getelementptr inbounds nuw i8, ptr %6, i64 40
  %15 = load ptr, ptr %14, align 8
  %16 = lshr i32 %2, 12
  %17 = zext nneg i32 %16 to i64
  %18 = getelementptr inbounds nuw ptr, ptr %15, i64 %17
  %19 = load ptr, ptr %18, align 8
  %20 = and i32 %2, 4095
  %21 = zext nneg i32 %20 to i64
  %22 = getelementptr inbounds nuw %struct.Origin, ptr %19, i64 %21
  %23 = load i32, ptr %22, align 8
  %24 = icmp eq i32 %23, 1
  br i1 %24, label %25, label %39

25:
  %26 = getelementptr inbounds nuw i8, ptr %22, i64 4
  %27 = load i32, ptr %26, align 4
  %28 = icmp eq i32 %27, %1
  br i1 %28, label %29, label %39

29:
  %30 = getelementptr inbounds nuw i8, ptr %22, i64 12
  %31 = load i32, ptr %30, align 4
  %32 = icmp eq i32 %31, %3
  br i1 %32, label %39, label %33

33:
  %34 = getelementptr inbounds nuw i8, ptr %22, i64 32
  %35 = load i32, ptr %34, align 8
  %36 = getelementptr inbounds nuw i8, ptr %22, i64 24
  %37 = load i64, ptr %36, align 8
  %38 = tail call i32 @lm_origin(ptr noundef nonnull %0, i32 noundef 1, i32 noundef %1, i32 noundef %3, i32 noundef %35, i64 noundef %37)
  br label %39

39:
  %40 = phi i32 [ 0, %4 ], [ %2, %8 ], [ %38, %33 ], [ %2, %29 ], [ %2, %25 ], [ %2, %13 ]
  ret i32 %40
}

define ptr @tensor_peer(ptr noundef captures(none) %0, i32 noundef %1) local_unnamed_addr {
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %7 = load i32, ptr %6, align 8
  %8 = xor i32 %7, 1
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 12
  %10 = load i32, ptr %9, align 4
  %11 = icmp ult i32 %8, %10
  br i1 %11, label %12, label %21

12:
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %14 = load ptr, ptr %13, align 8
  %15 = zext i32 %8 to i64
  %16 = getelementptr inbounds nuw ptr, ptr %14, i64 %15
  %17 = load ptr, ptr %16, align 8
  %18 = getelementptr inbounds nuw i8, ptr %17, i64 20
  %19 = load i32, ptr %18, align 4
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %21, label %26

21:
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %23 = load i64, ptr %22, align 8
  %24 = zext i32 %7 to i64
  %25 = zext i32 %10 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %23, i32 noundef 28, i64 noundef %24, i64 noundef %25, i64 noundef 0)
  br label %26

26:
  %27 = phi ptr [ null, %21 ], [ %17, %12 ]
  ret ptr %27
}

define range(i32 0, 2) i32 @tensor_owned(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2, i64 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = icmp ugt i32 %4, 511
  br i1 %6, label %33, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 912
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 96
  %13 = lshr i32 %4, 5
  %14 = zext nneg i32 %13 to i64
  %15 = getelementptr inbounds nuw %struct.TensorUnit, ptr %12, i64 %14
  %16 = load ptr, ptr %1, align 8
  %17 = load i64, ptr %16, align 8
  %18 = shl i64 %17, 4
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %20 = load i32, ptr %19, align 8
  %21 = zext i32 %20 to i64
  %22 = or disjoint i64 %18, 1
  %23 = add i64 %22, %21
  %24 = load i64, ptr %15, align 8
  %25 = icmp eq i64 %24, %23
  br i1 %25, label %36, label %26

26:
  %27 = icmp eq i64 %24, 0
  br i1 %27, label %28, label %33

28:
  %29 = getelementptr inbounds nuw i8, ptr %15, i64 8
  %30 = load i64, ptr %29, align 8
  %31 = icmp eq i64 %30, %23
  %32 = select i1 %31, i32 14, i32 13
  br label %33

33:
  %34 = phi i32 [ 12, %5 ], [ %32, %28 ], [ 15, %26 ]
  %35 = zext i32 %4 to i64
  tail call void @tensor_rule(ptr noundef %0, i32 noundef %2, i64 noundef %3, i32 noundef %34, i64 noundef %35, i64 noundef 0, i64 noundef 0)
  br label %36

36:
  %37 = phi i32 [ 1, %7 ], [ 0, %33 ]
  ret i32 %37
}

define range(i32 -1, 4) i32 @lm_tensor_alloc(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %11 = load i64, ptr %10, align 8
  br label %12

12:
  %13 = phi i64 [ 0, %6 ], [ %18, %17 ]
  %14 = shl nuw nsw i64 1, %13
  %15 = and i64 %14, %11
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %17, label %20

17:
  %18 = add nuw nsw i64 %13, 1
  %19 = icmp eq i64 %18, 63
  br i1 %19, label %22, label %12

20:
  %21 = and i64 %13, 4294967295
  br label %22

22:
  %23 = phi i64 [ %21, %20 ], [ 63, %17 ]
  %24 = getelementptr inbounds nuw i32, ptr %9, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  br label %26

26:
  %27 = phi i64 [ 0, %22 ], [ %32, %31 ]
  %28 = shl nuw nsw i64 1, %27
  %29 = and i64 %28, %11
  %30 = icmp eq i64 %29, 0
  br i1 %30, label %31, label %34

31:
  %32 = add nuw nsw i64 %27, 1
  %33 = icmp eq i64 %32, 63
  br i1 %33, label %36, label %26

34:
  %35 = and i64 %27, 4294967295
  br label %36

36:
  %37 = phi i64 [ %35, %34 ], [ 63, %31 ]
  %38 = getelementptr inbounds nuw i32, ptr %25, i64 %37
  store i32 0, ptr %38, align 4
  store i32 0, ptr %24, align 4
  %39 = getelementptr inbounds nuw i8, ptr %8, i64 912
  %40 = load ptr, ptr %39, align 8
  %41 = getelementptr inbounds nuw i8, ptr %40, i64 40
  %42 = load i32, ptr %41, align 4
  %43 = icmp eq i32 %42, 0
  br i1 %43, label %57, label %44

44:
  %45 = getelementptr inbounds nuw i8, ptr %40, i64 52
  %46 = load i32, ptr %45, align 4
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %48 = load i32, ptr %47, align 8
  %49 = icmp eq i32 %46, %48
  br i1 %49, label %50, label %57

50:
  %51 = getelementptr inbounds nuw i8, ptr %40, i64 60
  %52 = load i32, ptr %51, align 4
  %53 = icmp eq i32 %52, 0
  br i1 %53, label %57, label %54

54:
  %55 = getelementptr inbounds nuw i8, ptr %40, i64 64
  %56 = load i32, ptr %55, align 4
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(28) %41, i8 0, i64 28, i1 false)
  store i32 %56, ptr %24, align 4
  br label %329

57:
  %58 = getelementptr inbounds nuw i8, ptr %40, i64 32
  %59 = load i32, ptr %58, align 8
  %60 = icmp eq i32 %59, 0
  br i1 %60, label %62, label %61

61:
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %11, i32 noundef 17, i64 noundef 0, i64 noundef 0, i64 noundef 0)
  br label %62

62:
  %63 = icmp eq i32 %5, 0
  br i1 %63, label %75, label %64

64:
  %65 = load ptr, ptr %39, align 8
  %66 = getelementptr inbounds nuw i8, ptr %65, i64 36
  %67 = load i32, ptr %66, align 4
  %68 = icmp ne i32 %67, 0
  %69 = icmp ugt i32 %3, %67
  %70 = and i1 %68, %69
  br i1 %70, label %71, label %75

71:
  %72 = load i64, ptr %10, align 8
  %73 = zext i32 %3 to i64
  %74 = zext i32 %67 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %72, i32 noundef 18, i64 noundef %73, i64 noundef %74, i64 noundef 0)
  br label %75

75:
  %76 = add i32 %3, -32
  %77 = icmp ult i32 %76, 481
  %78 = tail call range(i32 0, 11) i32 @llvm.ctpop.i32(i32 %3)
  %79 = icmp samesign ult i32 %78, 2
  %80 = select i1 %77, i1 %79, i1 false
  br i1 %80, label %84, label %81

81:
  %82 = load i64, ptr %10, align 8
  %83 = zext i32 %3 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %82, i32 noundef 16, i64 noundef %83, i64 noundef 0, i64 noundef 0)
  br label %329

84:
  %85 = icmp eq i32 %4, 0
  br i1 %85, label %167, label %86

86:
  %87 = load ptr, ptr %0, align 8
  %88 = load ptr, ptr %7, align 8
  %89 = getelementptr inbounds nuw i8, ptr %88, i64 8
  %90 = load i32, ptr %89, align 8
  %91 = xor i32 %90, 1
  %92 = getelementptr inbounds nuw i8, ptr %87, i64 12
  %93 = load i32, ptr %92, align 4
  %94 = icmp ult i32 %91, %93
  br i1 %94, label %95, label %104

95:
  %96 = getelementptr inbounds nuw i8, ptr %87, i64 24
  %97 = load ptr, ptr %96, align 8
  %98 = zext i32 %91 to i64
  %99 = getelementptr inbounds nuw ptr, ptr %97, i64 %98
  %100 = load ptr, ptr %99, align 8
  %101 = getelementptr inbounds nuw i8, ptr %100, i64 20
  %102 = load i32, ptr %101, align 4
  %103 = icmp eq i32 %102, 0
  br i1 %103, label %104, label %114

104:
  %105 = load i64, ptr %10, align 8
  %106 = zext i32 %90 to i64
  %107 = zext i32 %93 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %105, i32 noundef 28, i64 noundef %106, i64 noundef %107, i64 noundef 0)
  %108 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %109 = load ptr, ptr %108, align 8
  %110 = getelementptr inbounds nuw i8, ptr %109, i64 104
  %111 = load i32, ptr %110, align 8
  %112 = icmp eq i32 %111, 0
  %113 = select i1 %112, i32 3, i32 -1
  br label %329

114:
  %115 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %116 = getelementptr inbounds nuw i8, ptr %100, i64 912
  %117 = load ptr, ptr %116, align 8
  %118 = getelementptr inbounds nuw i8, ptr %117, i64 40
  %119 = getelementptr inbounds nuw i8, ptr %88, i64 912
  %120 = load ptr, ptr %119, align 8
  %121 = getelementptr inbounds nuw i8, ptr %120, i64 40
  %122 = load i32, ptr %121, align 8
  %123 = icmp eq i32 %122, 0
  br i1 %123, label %127, label %124

124:
  %125 = getelementptr inbounds nuw i8, ptr %120, i64 52
  %126 = load i32, ptr %125, align 4
  br label %135

127:
  %128 = load i32, ptr %115, align 8
  store i32 1, ptr %121, align 8
  %129 = getelementptr inbounds nuw i8, ptr %120, i64 44
  store i32 0, ptr %129, align 4
  %130 = getelementptr inbounds nuw i8, ptr %120, i64 48
  store i32 %3, ptr %130, align 8
  %131 = getelementptr inbounds nuw i8, ptr %120, i64 52
  store i32 %128, ptr %131, align 4
  %132 = getelementptr inbounds nuw i8, ptr %120, i64 56
  store i32 %1, ptr %132, align 8
  %133 = getelementptr inbounds nuw i8, ptr %120, i64 60
  store i32 0, ptr %133, align 4
  %134 = getelementptr inbounds nuw i8, ptr %120, i64 64
  store i32 0, ptr %134, align 8
  br label %135

135:
  %136 = phi i32 [ %126, %124 ], [ %128, %127 ]
  %137 = load i32, ptr %115, align 8
  %138 = icmp eq i32 %136, %137
  br i1 %138, label %139, label %159

139:
  %140 = load i32, ptr %118, align 4
  %141 = icmp eq i32 %140, 1
  br i1 %141, label %142, label %159

142:
  %143 = getelementptr inbounds nuw i8, ptr %117, i64 60
  %144 = load i32, ptr %143, align 4
  %145 = icmp eq i32 %144, 0
  br i1 %145, label %146, label %159

146:
  %147 = getelementptr inbounds nuw i8, ptr %117, i64 44
  %148 = load i32, ptr %147, align 4
  %149 = icmp eq i32 %148, 0
  %150 = getelementptr inbounds nuw i8, ptr %117, i64 48
  %151 = load i32, ptr %150, align 4
  %152 = icmp eq i32 %151, %3
  %153 = select i1 %149, i1 %152, i1 false
  br i1 %153, label %163, label %154

154:
  %155 = load i64, ptr %10, align 8
  %156 = zext nneg i32 %3 to i64
  %157 = zext i32 %151 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %155, i32 noundef 29, i64 noundef %156, i64 noundef %157, i64 noundef 0)
  %158 = load ptr, ptr %116, align 8
  br label %163

159:
  %160 = getelementptr inbounds nuw i8, ptr %0, i64 160
  store i32 %2, ptr %160, align 8
  %161 = getelementptr inbounds nuw i8, ptr %0, i64 196
  store i32 18, ptr %161, align 4
  %162 = getelementptr inbounds nuw i8, ptr %0, i64 244
  store i32 1, ptr %162, align 4
  br label %329

163:
  %164 = phi ptr [ %117, %146 ], [ %158, %154 ]
  %165 = getelementptr inbounds nuw i8, ptr %164, i64 24
  %166 = load ptr, ptr %165, align 8
  br label %167

167:
  %168 = phi ptr [ %100, %163 ], [ null, %84 ]
  %169 = phi ptr [ %166, %163 ], [ null, %84 ]
  %170 = load ptr, ptr %39, align 8
  %171 = getelementptr inbounds nuw i8, ptr %170, i64 24
  %172 = load ptr, ptr %171, align 8
  %173 = lshr i32 %3, 5
  %174 = getelementptr inbounds nuw i8, ptr %172, i64 96
  %175 = icmp eq ptr %169, null
  %176 = getelementptr inbounds nuw i8, ptr %169, i64 96
  %177 = zext nneg i32 %173 to i64
  br label %178

178:
  %179 = phi i64 [ %180, %182 ], [ 0, %167 ]
  %180 = add nuw nsw i64 %179, %177
  %181 = icmp samesign ult i64 %180, 17
  br i1 %181, label %184, label %205

182:
  %183 = icmp eq i32 %198, 0
  br i1 %183, label %201, label %178

184:
  %185 = phi i64 [ %199, %195 ], [ %179, %178 ]
  %186 = phi i32 [ %198, %195 ], [ 0, %178 ]
  %187 = getelementptr inbounds nuw %struct.TensorUnit, ptr %174, i64 %185
  %188 = load i64, ptr %187, align 8
  %189 = icmp ne i64 %188, 0
  %190 = or i1 %175, %189
  br i1 %190, label %195, label %191

191:
  %192 = getelementptr inbounds nuw %struct.TensorUnit, ptr %176, i64 %185
  %193 = load i64, ptr %192, align 8
  %194 = icmp ne i64 %193, 0
  br label %195

195:
  %196 = phi i1 [ %189, %184 ], [ %194, %191 ]
  %197 = zext i1 %196 to i32
  %198 = or i32 %186, %197
  %199 = add nuw nsw i64 %185, 1
  %200 = icmp samesign ult i64 %199, %180
  br i1 %200, label %184, label %182

201:
  %202 = trunc nuw nsw i64 %179 to i32
  %203 = shl nuw nsw i32 %202, 5
  %204 = icmp eq i64 %179, 16
  br i1 %204, label %205, label %209

205:
  %206 = getelementptr inbounds nuw i8, ptr %0, i64 160
  store i32 %2, ptr %206, align 8
  %207 = getelementptr inbounds nuw i8, ptr %0, i64 196
  store i32 18, ptr %207, align 4
  %208 = getelementptr inbounds nuw i8, ptr %0, i64 244
  store i32 1, ptr %208, align 4
  br label %329

209:
  %210 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %211 = load i32, ptr %210, align 8
  %212 = add nuw nsw i32 %203, %3
  %213 = lshr i32 %212, 5
  %214 = icmp samesign ugt i32 %213, %202
  br i1 %214, label %215, label %225

215:
  %216 = load ptr, ptr %8, align 8
  %217 = load i64, ptr %216, align 8
  %218 = shl i64 %217, 4
  %219 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %220 = load i32, ptr %219, align 8
  %221 = zext i32 %220 to i64
  %222 = or disjoint i64 %218, 1
  %223 = add i64 %222, %221
  %224 = zext nneg i32 %213 to i64
  br label %239

225:
  %226 = shl nuw nsw i32 %202, 2
  %227 = lshr i32 %212, 3
  %228 = icmp samesign ult i32 %226, %227
  br i1 %228, label %229, label %249

229:
  %230 = getelementptr inbounds nuw i8, ptr %172, i64 56
  %231 = load ptr, ptr %230, align 8
  %232 = shl nuw nsw i64 %179, 4
  %233 = getelementptr nuw i8, ptr %231, i64 %232
  %234 = xor i32 %226, -1
  %235 = add nsw i32 %227, %234
  %236 = zext i32 %235 to i64
  %237 = shl nuw nsw i64 %236, 2
  %238 = add nuw nsw i64 %237, 4
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(1) %233, i8 0, i64 %238, i1 false)
  br label %249

239:
  %240 = phi i64 [ %179, %215 ], [ %247, %239 ]
  %241 = getelementptr inbounds nuw %struct.TensorUnit, ptr %174, i64 %240
  %242 = getelementptr inbounds nuw i8, ptr %241, i64 8
  store i64 %223, ptr %242, align 8
  store i64 %223, ptr %241, align 8
  %243 = getelementptr inbounds nuw i8, ptr %241, i64 16
  store i32 %203, ptr %243, align 8
  %244 = getelementptr inbounds nuw i8, ptr %241, i64 20
  store i32 %3, ptr %244, align 4
  %245 = getelementptr inbounds nuw i8, ptr %241, i64 24
  store i32 %1, ptr %245, align 8
  %246 = getelementptr inbounds nuw i8, ptr %241, i64 28
  store i32 %211, ptr %246, align 4
  %247 = add nuw nsw i64 %240, 1
  %248 = icmp eq i64 %247, %224
  br i1 %248, label %225, label %239

249:
  %250 = getelementptr inbounds nuw i8, ptr %170, i64 36
  store i32 %3, ptr %250, align 4
  store i32 %203, ptr %24, align 4
  %251 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %252 = load ptr, ptr %251, align 8
  %253 = getelementptr inbounds nuw i8, ptr %252, i64 152
  %254 = load i64, ptr %253, align 8
  %255 = add i64 %254, 1
  store i64 %255, ptr %253, align 8
  br i1 %85, label %329, label %256

256:
  %257 = getelementptr inbounds nuw i8, ptr %168, i64 912
  %258 = load ptr, ptr %257, align 8
  %259 = getelementptr inbounds nuw i8, ptr %258, i64 56
  %260 = load i32, ptr %259, align 8
  %261 = getelementptr inbounds nuw i8, ptr %258, i64 52
  %262 = load i32, ptr %261, align 4
  %263 = getelementptr inbounds nuw i8, ptr %258, i64 24
  %264 = load ptr, ptr %263, align 8
  br i1 %214, label %265, label %276

265:
  %266 = getelementptr inbounds nuw i8, ptr %264, i64 96
  %267 = load ptr, ptr %168, align 8
  %268 = load i64, ptr %267, align 8
  %269 = shl i64 %268, 4
  %270 = getelementptr inbounds nuw i8, ptr %168, i64 8
  %271 = load i32, ptr %270, align 8
  %272 = zext i32 %271 to i64
  %273 = or disjoint i64 %269, 1
  %274 = add i64 %273, %272
  %275 = zext nneg i32 %213 to i64
  br label %287

276:
  br i1 %228, label %277, label %297

277:
  %278 = getelementptr inbounds nuw i8, ptr %264, i64 56
  %279 = load ptr, ptr %278, align 8
  %280 = shl nuw nsw i64 %179, 4
  %281 = getelementptr nuw i8, ptr %279, i64 %280
  %282 = xor i32 %226, -1
  %283 = add nsw i32 %227, %282
  %284 = zext i32 %283 to i64
  %285 = shl nuw nsw i64 %284, 2
  %286 = add nuw nsw i64 %285, 4
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(1) %281, i8 0, i64 %286, i1 false)
  br label %297

287:
  %288 = phi i64 [ %179, %265 ], [ %295, %287 ]
  %289 = getelementptr inbounds nuw %struct.TensorUnit, ptr %266, i64 %288
  %290 = getelementptr inbounds nuw i8, ptr %289, i64 8
  store i64 %274, ptr %290, align 8
  store i64 %274, ptr %289, align 8
  %291 = getelementptr inbounds nuw i8, ptr %289, i64 16
  store i32 %203, ptr %291, align 8
  %292 = getelementptr inbounds nuw i8, ptr %289, i64 20
  store i32 %3, ptr %292, align 4
  %293 = getelementptr inbounds nuw i8, ptr %289, i64 24
  store i32 %260, ptr %293, align 8
  %294 = getelementptr inbounds nuw i8, ptr %289, i64 28
  store i32 %262, ptr %294, align 4
  %295 = add nuw nsw i64 %288, 1
  %296 = icmp eq i64 %295, %275
  br i1 %296, label %276, label %287

297:
  %298 = getelementptr inbounds nuw i8, ptr %258, i64 36
  store i32 %3, ptr %298, align 4
  %299 = getelementptr inbounds nuw i8, ptr %258, i64 60
  store i32 1, ptr %299, align 4
  %300 = getelementptr inbounds nuw i8, ptr %258, i64 64
  store i32 %203, ptr %300, align 8
  %301 = getelementptr inbounds nuw i8, ptr %170, i64 40
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(28) %301, i8 0, i64 28, i1 false)
  %302 = load ptr, ptr %0, align 8
  %303 = getelementptr inbounds nuw i8, ptr %302, i64 8
  %304 = load i32, ptr %303, align 8
  %305 = icmp eq i32 %304, 0
  br i1 %305, label %329, label %306

306:
  %307 = getelementptr inbounds nuw i8, ptr %302, i64 16
  %308 = load ptr, ptr %307, align 8
  %309 = zext i32 %304 to i64
  br label %310

310:
  %311 = phi i64 [ 0, %306 ], [ %327, %326 ]
  %312 = getelementptr inbounds nuw ptr, ptr %308, i64 %311
  %313 = load ptr, ptr %312, align 8
  %314 = getelementptr inbounds nuw i8, ptr %313, i64 164
  %315 = load i32, ptr %314, align 4
  %316 = icmp eq i32 %315, 2
  br i1 %316, label %317, label %326

317:
  %318 = getelementptr inbounds nuw i8, ptr %313, i64 244
  %319 = load i32, ptr %318, align 4
  %320 = icmp eq i32 %319, 0
  br i1 %320, label %326, label %321

321:
  %322 = getelementptr inbounds nuw i8, ptr %313, i64 196
  %323 = load i32, ptr %322, align 4
  %324 = icmp eq i32 %323, 18
  br i1 %324, label %325, label %326

325:
  store i32 0, ptr %314, align 4
  store i32 0, ptr %318, align 4
  br label %326

326:
  %327 = add nuw nsw i64 %311, 1
  %328 = icmp eq i64 %327, %309
  br i1 %328, label %329, label %310

329:
  %330 = phi i32 [ -1, %54 ], [ -1, %81 ], [ 2, %159 ], [ %113, %104 ], [ 2, %205 ], [ -1, %249 ], [ -1, %297 ], [ -1, %326 ]
  ret i32 %330
}

define range(i32 -1, 4) i32 @lm_tensor_dealloc(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 912
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 40
  %12 = load i32, ptr %11, align 4
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %25, label %14

14:
  %15 = getelementptr inbounds nuw i8, ptr %10, i64 52
  %16 = load i32, ptr %15, align 4
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %18 = load i32, ptr %17, align 8
  %19 = icmp eq i32 %16, %18
  br i1 %19, label %20, label %25

20:
  %21 = getelementptr inbounds nuw i8, ptr %10, i64 60
  %22 = load i32, ptr %21, align 4
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %25, label %24

24:
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(28) %11, i8 0, i64 28, i1 false)
  br label %147

25:
  %26 = add i32 %4, -32
  %27 = icmp ult i32 %26, 481
  %28 = tail call range(i32 0, 11) i32 @llvm.ctpop.i32(i32 %4)
  %29 = icmp samesign ult i32 %28, 2
  %30 = select i1 %27, i1 %29, i1 false
  br i1 %30, label %35, label %31

31:
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %33 = load i64, ptr %32, align 8
  %34 = zext i32 %4 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %33, i32 noundef 16, i64 noundef %34, i64 noundef 0, i64 noundef 0)
  br label %147

35:
  %36 = icmp eq i32 %5, 0
  br i1 %36, label %118, label %37

37:
  %38 = load ptr, ptr %0, align 8
  %39 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %40 = load i32, ptr %39, align 8
  %41 = xor i32 %40, 1
  %42 = getelementptr inbounds nuw i8, ptr %38, i64 12
  %43 = load i32, ptr %42, align 4
  %44 = icmp ult i32 %41, %43
  br i1 %44, label %45, label %54

45:
  %46 = getelementptr inbounds nuw i8, ptr %38, i64 24
  %47 = load ptr, ptr %46, align 8
  %48 = zext i32 %41 to i64
  %49 = getelementptr inbounds nuw ptr, ptr %47, i64 %48
  %50 = load ptr, ptr %49, align 8
  %51 = getelementptr inbounds nuw i8, ptr %50, i64 20
  %52 = load i32, ptr %51, align 4
  %53 = icmp eq i32 %52, 0
  br i1 %53, label %54, label %65

54:
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %56 = load i64, ptr %55, align 8
  %57 = zext i32 %40 to i64
  %58 = zext i32 %43 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %56, i32 noundef 28, i64 noundef %57, i64 noundef %58, i64 noundef 0)
  %59 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %60 = load ptr, ptr %59, align 8
  %61 = getelementptr inbounds nuw i8, ptr %60, i64 104
  %62 = load i32, ptr %61, align 8
  %63 = icmp eq i32 %62, 0
  %64 = select i1 %63, i32 3, i32 -1
  br label %147

65:
  %66 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %67 = getelementptr inbounds nuw i8, ptr %50, i64 912
  %68 = load ptr, ptr %67, align 8
  %69 = getelementptr inbounds nuw i8, ptr %68, i64 40
  br i1 %13, label %73, label %70

70:
  %71 = getelementptr inbounds nuw i8, ptr %10, i64 52
  %72 = load i32, ptr %71, align 4
  br label %81

73:
  %74 = load i32, ptr %66, align 8
  store i32 2, ptr %11, align 8
  %75 = getelementptr inbounds nuw i8, ptr %10, i64 44
  store i32 %3, ptr %75, align 4
  %76 = getelementptr inbounds nuw i8, ptr %10, i64 48
  store i32 %4, ptr %76, align 8
  %77 = getelementptr inbounds nuw i8, ptr %10, i64 52
  store i32 %74, ptr %77, align 4
  %78 = getelementptr inbounds nuw i8, ptr %10, i64 56
  store i32 %1, ptr %78, align 8
  %79 = getelementptr inbounds nuw i8, ptr %10, i64 60
  store i32 0, ptr %79, align 4
  %80 = getelementptr inbounds nuw i8, ptr %10, i64 64
  store i32 0, ptr %80, align 8
  br label %81

81:
  %82 = phi i32 [ %72, %70 ], [ %74, %73 ]
  %83 = load i32, ptr %66, align 8
  %84 = icmp eq i32 %82, %83
  br i1 %84, label %85, label %106

85:
  %86 = load i32, ptr %69, align 4
  %87 = icmp eq i32 %86, 2
  br i1 %87, label %88, label %106

88:
  %89 = getelementptr inbounds nuw i8, ptr %68, i64 60
  %90 = load i32, ptr %89, align 4
  %91 = icmp eq i32 %90, 0
  br i1 %91, label %92, label %106

92:
  %93 = getelementptr inbounds nuw i8, ptr %68, i64 44
  %94 = load i32, ptr %93, align 4
  %95 = icmp eq i32 %94, %3
  %96 = getelementptr inbounds nuw i8, ptr %68, i64 48
  %97 = load i32, ptr %96, align 4
  %98 = icmp eq i32 %97, %4
  %99 = select i1 %95, i1 %98, i1 false
  br i1 %99, label %110, label %100

100:
  %101 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %102 = load i64, ptr %101, align 8
  %103 = zext nneg i32 %4 to i64
  %104 = zext i32 %97 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %102, i32 noundef 29, i64 noundef %103, i64 noundef %104, i64 noundef 0)
  %105 = load ptr, ptr %7, align 8
  br label %110

106:
  %107 = getelementptr inbounds nuw i8, ptr %0, i64 160
  store i32 %2, ptr %107, align 8
  %108 = getelementptr inbounds nuw i8, ptr %0, i64 196
  store i32 18, ptr %108, align 4
  %109 = getelementptr inbounds nuw i8, ptr %0, i64 244
  store i32 1, ptr %109, align 4
  br label %147

110:
  %111 = phi ptr [ %8, %92 ], [ %105, %100 ]
  tail call fastcc void @deallocate(ptr noundef nonnull %0, ptr noundef %111, i32 noundef %1, i32 noundef %3, i32 noundef %4)
  tail call fastcc void @deallocate(ptr noundef nonnull %0, ptr noundef nonnull %50, i32 noundef %1, i32 noundef %3, i32 noundef %4)
  %112 = load ptr, ptr %67, align 8
  %113 = getelementptr inbounds nuw i8, ptr %112, i64 60
  store i32 1, ptr %113, align 4
  %114 = load ptr, ptr %7, align 8
  %115 = getelementptr inbounds nuw i8, ptr %114, i64 912
  %116 = load ptr, ptr %115, align 8
  %117 = getelementptr inbounds nuw i8, ptr %116, i64 40
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(28) %117, i8 0, i64 28, i1 false)
  br label %119

118:
  tail call fastcc void @deallocate(ptr noundef nonnull %0, ptr noundef nonnull %8, i32 noundef %1, i32 noundef %3, i32 noundef %4)
  br label %119

119:
  %120 = load ptr, ptr %0, align 8
  %121 = getelementptr inbounds nuw i8, ptr %120, i64 8
  %122 = load i32, ptr %121, align 8
  %123 = icmp eq i32 %122, 0
  br i1 %123, label %147, label %124

124:
  %125 = getelementptr inbounds nuw i8, ptr %120, i64 16
  %126 = load ptr, ptr %125, align 8
  %127 = zext i32 %122 to i64
  br label %128

128:
  %129 = phi i64 [ 0, %124 ], [ %145, %144 ]
  %130 = getelementptr inbounds nuw ptr, ptr %126, i64 %129
  %131 = load ptr, ptr %130, align 8
  %132 = getelementptr inbounds nuw i8, ptr %131, i64 164
  %133 = load i32, ptr %132, align 4
  %134 = icmp eq i32 %133, 2
  br i1 %134, label %135, label %144

135:
  %136 = getelementptr inbounds nuw i8, ptr %131, i64 244
  %137 = load i32, ptr %136, align 4
  %138 = icmp eq i32 %137, 0
  br i1 %138, label %144, label %139

139:
  %140 = getelementptr inbounds nuw i8, ptr %131, i64 196
  %141 = load i32, ptr %140, align 4
  %142 = icmp eq i32 %141, 18
  br i1 %142, label %143, label %144

143:
  store i32 0, ptr %132, align 4
  store i32 0, ptr %136, align 4
  br label %144

144:
  %145 = add nuw nsw i64 %129, 1
  %146 = icmp eq i64 %145, %127
  br i1 %146, label %147, label %128

147:
  %148 = phi i32 [ -1, %24 ], [ -1, %31 ], [ %64, %54 ], [ 2, %106 ], [ -1, %119 ], [ -1, %144 ]
  ret i32 %148
}

define internal fastcc void @deallocate(ptr noundef %0, ptr noundef readonly captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) unnamed_addr {
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 912
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %9 = load ptr, ptr %8, align 8
  %10 = and i32 %3, 65535
  %11 = lshr i32 %10, 5
  %12 = getelementptr inbounds nuw i8, ptr %9, i64 96
  %13 = icmp samesign ult i32 %10, 512
  %14 = select i1 %13, i32 %11, i32 0
  %15 = zext nneg i32 %14 to i64
  %16 = getelementptr inbounds nuw %struct.TensorUnit, ptr %12, i64 %15
  %17 = icmp ugt i32 %3, 65535
  %18 = icmp samesign ugt i32 %10, 511
  %19 = select i1 %17, i1 true, i1 %18
  br i1 %19, label %35, label %20

20:
  %21 = load i64, ptr %16, align 8
  %22 = load ptr, ptr %1, align 8
  %23 = load i64, ptr %22, align 8
  %24 = shl i64 %23, 4
  %25 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %26 = load i32, ptr %25, align 8
  %27 = zext i32 %26 to i64
  %28 = or disjoint i64 %24, 1
  %29 = add i64 %28, %27
  %30 = icmp eq i64 %21, %29
  br i1 %30, label %31, label %35

31:
  %32 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %33 = load i32, ptr %32, align 8
  %34 = icmp eq i32 %33, %10
  br i1 %34, label %39, label %35

35:
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %37 = load i64, ptr %36, align 8
  %38 = zext i32 %3 to i64
  tail call void @tensor_rule(ptr noundef %0, i32 noundef %2, i64 noundef %37, i32 noundef 19, i64 noundef %38, i64 noundef 0, i64 noundef 0)
  br label %69

39:
  %40 = getelementptr inbounds nuw i8, ptr %16, i64 20
  %41 = load i32, ptr %40, align 4
  %42 = icmp eq i32 %41, %4
  br i1 %42, label %50, label %43

43:
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %45 = load i64, ptr %44, align 8
  %46 = zext nneg i32 %3 to i64
  %47 = zext i32 %41 to i64
  %48 = zext i32 %4 to i64
  tail call void @tensor_rule(ptr noundef %0, i32 noundef %2, i64 noundef %45, i32 noundef 20, i64 noundef %46, i64 noundef %47, i64 noundef %48)
  %49 = load i32, ptr %40, align 4
  br label %50

50:
  %51 = phi i32 [ %49, %43 ], [ %4, %39 ]
  tail call void @tensor_over(ptr noundef %0, ptr noundef nonnull %1, i32 noundef %2, i32 noundef %10, i32 noundef %51)
  %52 = add i32 %51, %3
  %53 = lshr i32 %52, 5
  %54 = icmp samesign ult i32 %11, %53
  br i1 %54, label %55, label %63

55:
  %56 = zext nneg i32 %11 to i64
  %57 = zext nneg i32 %53 to i64
  br label %58

58:
  %59 = phi i64 [ %56, %55 ], [ %61, %58 ]
  %60 = getelementptr inbounds nuw %struct.TensorUnit, ptr %12, i64 %59
  store i64 0, ptr %60, align 8
  %61 = add nuw nsw i64 %59, 1
  %62 = icmp eq i64 %61, %57
  br i1 %62, label %63, label %58

63:
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %65 = load ptr, ptr %64, align 8
  %66 = getelementptr inbounds nuw i8, ptr %65, i64 152
  %67 = load i64, ptr %66, align 8
  %68 = add i64 %67, 1
  store i64 %68, ptr %66, align 8
  br label %69

69:
  ret void
}

define void @lm_tensor_relinquish(ptr noundef readonly captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 912
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 32
  store i32 1, ptr %6, align 8
  ret void
}

define void @lm_tensor_copy(ptr noundef %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7) local_unnamed_addr {
  %9 = alloca [1024 x i32], align 16
  %10 = alloca %struct.Table, align 8
  %11 = alloca %struct.Access, align 8
  %12 = alloca %struct.Range, align 8
  %13 = alloca %struct.Moved, align 4
  %14 = alloca %struct.Moved, align 4
  %15 = alloca %struct.Table, align 8
  %16 = alloca %struct.Access, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %13)
  call void @llvm.lifetime.start.p0(ptr nonnull %14)
  call void @llvm.lifetime.start.p0(ptr nonnull %15)
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 136
  %20 = load ptr, ptr %19, align 8
  %21 = zext i32 %4 to i64
  %22 = getelementptr inbounds nuw ptr, ptr %20, i64 %21
  %23 = load ptr, ptr %22, align 8
  %24 = load i32, ptr %23, align 4
  store i32 %24, ptr %15, align 8
  %25 = getelementptr inbounds nuw i8, ptr %15, i64 4
  %26 = getelementptr inbounds nuw i8, ptr %23, i64 4
  %27 = load i32, ptr %26, align 4
  store i32 %27, ptr %25, align 4
  %28 = getelementptr inbounds nuw i8, ptr %15, i64 8
  %29 = getelementptr inbounds nuw i8, ptr %23, i64 8
  %30 = load i32, ptr %29, align 4
  store i32 %30, ptr %28, align 8
  %31 = getelementptr inbounds nuw i8, ptr %15, i64 12
  store i32 0, ptr %31, align 4
  %32 = getelementptr inbounds nuw i8, ptr %15, i64 16
  %33 = getelementptr inbounds nuw i8, ptr %23, i64 12
  store ptr %33, ptr %32, align 8
  %34 = getelementptr inbounds nuw i8, ptr %15, i64 24
  %35 = getelementptr inbounds nuw i8, ptr %15, i64 32
  %36 = mul i32 %27, 3
  %37 = zext i32 %36 to i64
  %38 = getelementptr inbounds nuw i32, ptr %33, i64 %37
  store ptr %38, ptr %34, align 8
  %39 = zext i32 %30 to i64
  %40 = getelementptr inbounds nuw i32, ptr %38, i64 %39
  store ptr %40, ptr %35, align 8
  %41 = icmp eq i64 %2, 0
  br i1 %41, label %82, label %42

42:
  %43 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %44 = zext i32 %3 to i64
  %45 = getelementptr inbounds nuw [64 x i32], ptr %43, i64 %44
  %46 = add i32 %3, 1
  %47 = zext i32 %46 to i64
  %48 = getelementptr inbounds nuw [64 x i32], ptr %43, i64 %47
  %49 = add i32 %3, 2
  %50 = zext i32 %49 to i64
  %51 = getelementptr inbounds nuw [64 x i32], ptr %43, i64 %50
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 4096
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %56 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %57 = getelementptr inbounds nuw i8, ptr %16, i64 12
  %58 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %59 = getelementptr inbounds nuw i8, ptr %16, i64 20
  %60 = getelementptr inbounds nuw i8, ptr %16, i64 24
  %61 = getelementptr inbounds nuw i8, ptr %16, i64 32
  %62 = getelementptr inbounds nuw i8, ptr %16, i64 40
  %63 = shl i32 %6, 2
  %64 = getelementptr inbounds nuw i8, ptr %11, i64 12
  %65 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %66 = getelementptr inbounds nuw i8, ptr %11, i64 40
  %67 = icmp eq i32 %5, 0
  %68 = lshr i32 %63, 4
  %69 = icmp eq i32 %68, 0
  %70 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %71 = getelementptr inbounds nuw i8, ptr %12, i64 12
  %72 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %73 = getelementptr inbounds nuw i8, ptr %12, i64 20
  %74 = getelementptr inbounds nuw i8, ptr %12, i64 24
  %75 = getelementptr inbounds nuw i8, ptr %12, i64 32
  %76 = getelementptr inbounds nuw i8, ptr %12, i64 40
  %77 = getelementptr inbounds nuw i8, ptr %13, i64 32768
  %78 = getelementptr inbounds nuw i8, ptr %13, i64 65536
  %79 = zext nneg i32 %68 to i64
  %80 = icmp eq i32 %30, 0
  %81 = getelementptr inbounds nuw i8, ptr %10, i64 24
  br label %83

82:
  call void @llvm.lifetime.end.p0(ptr nonnull %15)
  call void @llvm.lifetime.end.p0(ptr nonnull %14)
  call void @llvm.lifetime.end.p0(ptr nonnull %13)
  ret void

83:
  %84 = phi i64 [ %2, %42 ], [ %295, %293 ]
  %85 = call range(i64 0, 65) i64 @llvm.cttz.i64(i64 %84, i1 true)
  %86 = trunc nuw nsw i64 %85 to i32
  %87 = getelementptr inbounds nuw i32, ptr %45, i64 %85
  %88 = load i32, ptr %87, align 4
  %89 = getelementptr inbounds nuw i32, ptr %48, i64 %85
  %90 = load i32, ptr %89, align 4
  %91 = zext i32 %90 to i64
  %92 = getelementptr inbounds nuw i32, ptr %51, i64 %85
  %93 = load i32, ptr %92, align 4
  %94 = zext i32 %93 to i64
  %95 = shl nuw i64 %94, 32
  %96 = or disjoint i64 %95, %91
  %97 = lshr i32 %88, 16
  %98 = icmp eq i32 %97, 0
  %99 = shl nuw i64 1, %85
  br i1 %98, label %102, label %100

100:
  %101 = zext nneg i32 %97 to i64
  call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %99, i32 noundef 25, i64 noundef %101, i64 noundef 0, i64 noundef 0)
  br label %102

102:
  %103 = lshr i64 %94, 29
  %104 = lshr i64 %94, 17
  %105 = and i64 %96, 2297328394389471232
  %106 = icmp eq i64 %105, 70368744177664
  br i1 %106, label %108, label %107

107:
  call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %99, i32 noundef 22, i64 noundef %96, i64 noundef 0, i64 noundef 0)
  br label %293

108:
  %109 = trunc nuw nsw i64 %103 to i32
  %110 = and i32 %109, 5
  switch i32 %110, label %111 [
    i32 4, label %112
    i32 0, label %112
  ]

111:
  call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %99, i32 noundef 23, i64 noundef %103, i64 noundef %96, i64 noundef 0)
  br label %293

112:
  %113 = shl i32 %90, 4
  %114 = and i32 %113, 262128
  %115 = lshr i32 %90, 12
  %116 = and i32 %115, 262128
  %117 = shl i32 %93, 4
  %118 = and i32 %117, 262128
  %119 = icmp eq i64 %103, 2
  %120 = select i1 %119, i32 7, i32 0
  %121 = icmp eq i64 %103, 4
  %122 = select i1 %121, i32 3, i32 %120
  %123 = icmp eq i64 %103, 6
  %124 = select i1 %123, i32 1, i32 %122
  %125 = shl nuw nsw i32 %124, 4
  %126 = add nuw nsw i32 %125, 16
  %127 = shl nuw nsw i32 %126, 3
  %128 = zext nneg i32 %127 to i64
  %129 = and i64 %94, 1966080
  %130 = icmp eq i64 %129, 0
  br i1 %130, label %131, label %139

131:
  %132 = lshr i32 %113, 7
  %133 = and i32 %124, %132
  %134 = icmp eq i32 %133, 0
  br i1 %134, label %135, label %139

135:
  %136 = icmp eq i32 %124, 0
  %137 = select i1 %136, i32 %116, i32 16
  %138 = and i32 %88, 65535
  br label %142

139:
  %140 = zext nneg i32 %114 to i64
  %141 = and i64 %104, 7
  call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %99, i32 noundef 24, i64 noundef %140, i64 noundef %141, i64 noundef %128)
  br label %293

142:
  %143 = phi i32 [ 0, %135 ], [ %291, %290 ]
  %144 = icmp eq i32 %143, 0
  br i1 %144, label %167, label %145

145:
  %146 = load ptr, ptr %0, align 8
  %147 = load ptr, ptr %52, align 8
  %148 = getelementptr inbounds nuw i8, ptr %147, i64 8
  %149 = load i32, ptr %148, align 8
  %150 = xor i32 %149, 1
  %151 = getelementptr inbounds nuw i8, ptr %146, i64 12
  %152 = load i32, ptr %151, align 4
  %153 = icmp ult i32 %150, %152
  br i1 %153, label %154, label %163

154:
  %155 = getelementptr inbounds nuw i8, ptr %146, i64 24
  %156 = load ptr, ptr %155, align 8
  %157 = zext i32 %150 to i64
  %158 = getelementptr inbounds nuw ptr, ptr %156, i64 %157
  %159 = load ptr, ptr %158, align 8
  %160 = getelementptr inbounds nuw i8, ptr %159, i64 20
  %161 = load i32, ptr %160, align 4
  %162 = icmp eq i32 %161, 0
  br i1 %162, label %163, label %172

163:
  %164 = load i64, ptr %53, align 8
  %165 = zext i32 %149 to i64
  %166 = zext i32 %152 to i64
  call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %164, i32 noundef 28, i64 noundef %165, i64 noundef %166, i64 noundef 0)
  br label %290

167:
  %168 = load ptr, ptr %52, align 8
  %169 = icmp eq ptr %168, null
  br i1 %169, label %290, label %170

170:
  %171 = load ptr, ptr %0, align 8
  br label %172

172:
  %173 = phi ptr [ %171, %170 ], [ %146, %154 ]
  %174 = phi ptr [ %168, %170 ], [ %159, %154 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %16)
  %175 = getelementptr inbounds nuw i8, ptr %174, i64 912
  %176 = load ptr, ptr %175, align 8
  %177 = getelementptr inbounds nuw i8, ptr %176, i64 24
  %178 = load ptr, ptr %177, align 8
  %179 = zext i1 %144 to i32
  %180 = load i32, ptr %54, align 4
  %181 = add i32 %180, %179
  store i32 %181, ptr %54, align 4
  %182 = zext i32 %181 to i64
  %183 = load i32, ptr %55, align 4
  %184 = getelementptr inbounds nuw i8, ptr %173, i64 120
  %185 = load ptr, ptr %184, align 8
  %186 = zext i32 %183 to i64
  %187 = getelementptr inbounds nuw i8, ptr %173, i64 112
  %188 = load i64, ptr %187, align 8
  %189 = getelementptr inbounds nuw i8, ptr %173, i64 8
  %190 = load i32, ptr %189, align 8
  %191 = zext i32 %190 to i64
  %192 = mul i64 %188, %191
  %193 = add i64 %192, 3
  %194 = mul i64 %193, %186
  %195 = getelementptr inbounds nuw i64, ptr %185, i64 %194
  %196 = getelementptr inbounds nuw i8, ptr %195, i64 24
  %197 = mul nuw nsw i64 %191, 80
  %198 = getelementptr inbounds nuw i8, ptr %196, i64 %197
  %199 = getelementptr inbounds nuw i64, ptr %198, i64 %186
  store i64 %182, ptr %199, align 8
  %200 = shl nuw nsw i64 %186, 28
  %201 = load i64, ptr %173, align 8
  %202 = load ptr, ptr %17, align 8
  %203 = getelementptr inbounds nuw i8, ptr %202, i64 88
  %204 = load i64, ptr %203, align 8
  %205 = sub i64 %201, %204
  %206 = shl i64 %205, 37
  %207 = or i64 %200, %206
  %208 = or i64 %207, %182
  %209 = or i64 %208, 1152921504606846976
  %210 = getelementptr inbounds nuw i8, ptr %202, i64 528
  %211 = load ptr, ptr %210, align 8
  %212 = icmp eq ptr %211, null
  br i1 %212, label %228, label %213

213:
  %214 = getelementptr inbounds nuw i8, ptr %211, i64 16
  %215 = load ptr, ptr %214, align 8
  %216 = load i64, ptr %211, align 8
  %217 = getelementptr inbounds nuw i8, ptr %211, i64 8
  %218 = load i64, ptr %217, align 8
  %219 = urem i64 %216, %218
  %220 = getelementptr inbounds nuw i64, ptr %215, i64 %219
  store i64 %209, ptr %220, align 8
  %221 = getelementptr inbounds nuw i8, ptr %211, i64 24
  %222 = load ptr, ptr %221, align 8
  %223 = load i64, ptr %211, align 8
  %224 = add i64 %223, 1
  store i64 %224, ptr %211, align 8
  %225 = load i64, ptr %217, align 8
  %226 = urem i64 %223, %225
  %227 = getelementptr inbounds nuw i32, ptr %222, i64 %226
  store i32 %1, ptr %227, align 4
  br label %228

228:
  store ptr %0, ptr %16, align 8
  store i32 %1, ptr %56, align 8
  store i32 5, ptr %57, align 4
  store i32 2, ptr %58, align 8
  store i32 1, ptr %59, align 4
  store i64 %209, ptr %60, align 8
  store i64 %209, ptr %61, align 8
  store ptr %178, ptr %62, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %11, ptr noundef nonnull readonly align 8 dereferenceable(48) %16, i64 40, i1 false)
  store i32 1, ptr %64, align 4
  store i32 1, ptr %65, align 8
  %229 = getelementptr inbounds nuw i8, ptr %174, i64 24
  store ptr %229, ptr %66, align 8
  br i1 %67, label %282, label %230

230:
  %231 = getelementptr inbounds nuw i8, ptr %174, i64 32
  br label %232

232:
  %233 = phi i32 [ 0, %230 ], [ %243, %242 ]
  br i1 %69, label %242, label %234

234:
  %235 = lshr i32 %233, 3
  %236 = and i32 %233, 7
  %237 = mul i32 %233, %63
  %238 = mul i32 %235, %118
  %239 = add i32 %238, %113
  %240 = mul nuw nsw i32 %236, %126
  %241 = add i32 %239, %240
  br label %245

242:
  %243 = add nuw i32 %233, 1
  %244 = icmp eq i32 %243, %5
  br i1 %244, label %282, label %232

245:
  %246 = phi i64 [ 0, %234 ], [ %280, %279 ]
  %247 = trunc i64 %246 to i32
  %248 = mul i32 %137, %247
  %249 = add i32 %241, %248
  %250 = and i32 %249, 262128
  %251 = lshr i32 %249, 7
  %252 = and i32 %251, %124
  %253 = shl nuw nsw i32 %252, 4
  %254 = xor i32 %253, %250
  %255 = zext nneg i32 %254 to i64
  %256 = shl i32 %247, 4
  %257 = add i32 %256, %237
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  store i64 %255, ptr %12, align 8
  store i32 16, ptr %70, align 8
  store i32 0, ptr %71, align 4
  store i32 %86, ptr %72, align 8
  store i32 0, ptr %73, align 4
  %258 = zext i32 %257 to i64
  %259 = getelementptr inbounds nuw i8, ptr %13, i64 %258
  store ptr %259, ptr %74, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %75, i8 0, i64 24, i1 false)
  %260 = load ptr, ptr %16, align 8
  %261 = getelementptr inbounds nuw i8, ptr %260, i64 16
  %262 = load ptr, ptr %261, align 8
  %263 = getelementptr inbounds nuw i8, ptr %262, i64 128
  %264 = load i64, ptr %263, align 8
  %265 = icmp eq i64 %264, 0
  br i1 %265, label %269, label %266

266:
  %267 = getelementptr inbounds nuw i8, ptr %77, i64 %258
  store ptr %267, ptr %75, align 8
  %268 = getelementptr inbounds nuw i32, ptr %78, i64 %258
  store ptr %268, ptr %76, align 8
  br label %269

269:
  %270 = add nuw nsw i64 %255, 16
  %271 = load i64, ptr %231, align 8
  %272 = icmp ugt i64 %270, %271
  br i1 %272, label %275, label %273

273:
  %274 = call i32 @access(ptr noundef nonnull %11, ptr noundef nonnull %12)
  br label %279

275:
  %276 = load i64, ptr %229, align 8
  %277 = add i64 %276, %255
  call void @out_of_bounds(ptr noundef nonnull %11, i32 noundef range(i32 0, 64) %86, i64 noundef %277, i64 noundef 16)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(16) %259, i8 0, i64 16, i1 false)
  %278 = getelementptr inbounds nuw i8, ptr %77, i64 %258
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(16) %278, i8 0, i64 16, i1 false)
  br label %279

279:
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  %280 = add nuw nsw i64 %246, 1
  %281 = icmp eq i64 %280, %79
  br i1 %281, label %242, label %245

282:
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  call void @follow(ptr noundef nonnull %0, ptr noundef nonnull %15, i32 noundef %30, ptr noundef nonnull %13, ptr noundef nonnull %14, i32 noundef 0, i32 noundef 0)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %10, ptr noundef nonnull readonly align 8 dereferenceable(40) %15, i64 40, i1 false)
  br i1 %80, label %288, label %283

283:
  %284 = phi i64 [ %286, %283 ], [ 0, %282 ]
  %285 = getelementptr inbounds nuw i32, ptr %9, i64 %284
  store i32 %86, ptr %285, align 4
  %286 = add nuw nsw i64 %284, 1
  %287 = icmp eq i64 %286, %39
  br i1 %287, label %288, label %283

288:
  store ptr %9, ptr %81, align 8
  %289 = call range(i32 0, 2) i32 @access_runs(ptr noundef nonnull %16, ptr noundef nonnull readonly %174, ptr noundef nonnull %10, i32 noundef 0, i32 noundef range(i32 0, 65536) %138, i32 noundef 128, i32 noundef 0, ptr noundef nonnull %14)
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  call void @llvm.lifetime.end.p0(ptr nonnull %16)
  br label %290

290:
  %291 = add i32 %143, 1
  %292 = icmp ugt i32 %291, %7
  br i1 %292, label %293, label %142

293:
  %294 = add i64 %84, -1
  %295 = and i64 %294, %84
  %296 = icmp eq i64 %295, 0
  br i1 %296, label %82, label %83
}

define void @tensor_access(ptr dead_on_unwind noalias writable writeonly sret(%struct.Access) align 8 captures(none) initializes((0, 48)) %0, ptr noundef %1, ptr noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr {
  %8 = add i32 %4, -2
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 4088
  %10 = zext i32 %8 to i64
  %11 = getelementptr inbounds nuw i32, ptr %9, i64 %10
  %12 = load i32, ptr %11, align 4
  %13 = add i32 %12, %6
  store i32 %13, ptr %11, align 4
  %14 = icmp eq i32 %4, 4
  br i1 %14, label %21, label %15

15:
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 28
  %17 = load i32, ptr %16, align 4
  %18 = load ptr, ptr %1, align 8
  %19 = zext i32 %13 to i64
  %20 = zext i32 %17 to i64
  br label %42

21:
  %22 = zext i32 %13 to i64
  %23 = load ptr, ptr %1, align 8
  %24 = getelementptr inbounds nuw i8, ptr %1, i64 28
  %25 = load i32, ptr %24, align 4
  %26 = getelementptr inbounds nuw i8, ptr %23, i64 120
  %27 = load ptr, ptr %26, align 8
  %28 = zext i32 %25 to i64
  %29 = getelementptr inbounds nuw i8, ptr %23, i64 112
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %23, i64 8
  %32 = load i32, ptr %31, align 8
  %33 = zext i32 %32 to i64
  %34 = mul i64 %30, %33
  %35 = add i64 %34, 3
  %36 = mul i64 %35, %28
  %37 = getelementptr inbounds nuw i64, ptr %27, i64 %36
  %38 = getelementptr inbounds nuw i8, ptr %37, i64 24
  %39 = mul nuw nsw i64 %33, 80
  %40 = getelementptr inbounds nuw i8, ptr %38, i64 %39
  %41 = getelementptr inbounds nuw i64, ptr %40, i64 %28
  store i64 %22, ptr %41, align 8
  br label %42

42:
  %43 = phi i64 [ %20, %15 ], [ %28, %21 ]
  %44 = phi i64 [ %19, %15 ], [ %22, %21 ]
  %45 = phi ptr [ %18, %15 ], [ %23, %21 ]
  %46 = shl nuw nsw i64 %43, 28
  %47 = load i64, ptr %45, align 8
  %48 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %49 = load ptr, ptr %48, align 8
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 88
  %51 = load i64, ptr %50, align 8
  %52 = sub i64 %47, %51
  %53 = shl i64 %52, 37
  %54 = zext i32 %4 to i64
  %55 = shl i64 %54, 58
  %56 = or disjoint i64 %55, %44
  %57 = or i64 %46, %56
  %58 = or i64 %57, %53
  %59 = getelementptr inbounds nuw i8, ptr %49, i64 528
  %60 = load ptr, ptr %59, align 8
  %61 = icmp eq ptr %60, null
  br i1 %61, label %77, label %62

62:
  %63 = getelementptr inbounds nuw i8, ptr %60, i64 16
  %64 = load ptr, ptr %63, align 8
  %65 = load i64, ptr %60, align 8
  %66 = getelementptr inbounds nuw i8, ptr %60, i64 8
  %67 = load i64, ptr %66, align 8
  %68 = urem i64 %65, %67
  %69 = getelementptr inbounds nuw i64, ptr %64, i64 %68
  store i64 %58, ptr %69, align 8
  %70 = getelementptr inbounds nuw i8, ptr %60, i64 24
  %71 = load ptr, ptr %70, align 8
  %72 = load i64, ptr %60, align 8
  %73 = add i64 %72, 1
  store i64 %73, ptr %60, align 8
  %74 = load i64, ptr %66, align 8
  %75 = urem i64 %72, %74
  %76 = getelementptr inbounds nuw i32, ptr %71, i64 %75
  store i32 %3, ptr %76, align 4
  br label %77

77:
  store ptr %1, ptr %0, align 8
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i32 %3, ptr %78, align 8
  %79 = getelementptr inbounds nuw i8, ptr %0, i64 12
  store i32 5, ptr %79, align 4
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store i32 %5, ptr %80, align 8
  %81 = getelementptr inbounds nuw i8, ptr %0, i64 20
  store i32 1, ptr %81, align 4
  %82 = getelementptr inbounds nuw i8, ptr %0, i64 24
  store i64 %58, ptr %82, align 8
  %83 = getelementptr inbounds nuw i8, ptr %0, i64 32
  store i64 %58, ptr %83, align 8
  %84 = getelementptr inbounds nuw i8, ptr %0, i64 40
  store ptr %2, ptr %84, align 8
  ret void
}

define void @lm_tensor_shift(ptr noundef %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = alloca [1024 x i32], align 16
  %8 = alloca %struct.Table, align 8
  %9 = alloca [1024 x i32], align 16
  %10 = alloca %struct.Table, align 8
  %11 = alloca %struct.Moved, align 4
  %12 = alloca %struct.Moved, align 4
  %13 = alloca %struct.Table, align 8
  %14 = alloca %struct.Access, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  call void @llvm.lifetime.start.p0(ptr nonnull %12)
  call void @llvm.lifetime.start.p0(ptr nonnull %13)
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %16 = load ptr, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 136
  %18 = load ptr, ptr %17, align 8
  %19 = zext i32 %4 to i64
  %20 = getelementptr inbounds nuw ptr, ptr %18, i64 %19
  %21 = load ptr, ptr %20, align 8
  %22 = load i32, ptr %21, align 4
  store i32 %22, ptr %13, align 8
  %23 = getelementptr inbounds nuw i8, ptr %13, i64 4
  %24 = getelementptr inbounds nuw i8, ptr %21, i64 4
  %25 = load i32, ptr %24, align 4
  store i32 %25, ptr %23, align 4
  %26 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %27 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %28 = load i32, ptr %27, align 4
  store i32 %28, ptr %26, align 8
  %29 = getelementptr inbounds nuw i8, ptr %13, i64 12
  store i32 0, ptr %29, align 4
  %30 = getelementptr inbounds nuw i8, ptr %13, i64 16
  %31 = getelementptr inbounds nuw i8, ptr %21, i64 12
  store ptr %31, ptr %30, align 8
  %32 = getelementptr inbounds nuw i8, ptr %13, i64 24
  %33 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %34 = mul i32 %25, 3
  %35 = zext i32 %34 to i64
  %36 = getelementptr inbounds nuw i32, ptr %31, i64 %35
  store ptr %36, ptr %32, align 8
  %37 = zext i32 %28 to i64
  %38 = getelementptr inbounds nuw i32, ptr %36, i64 %37
  store ptr %38, ptr %33, align 8
  %39 = icmp eq i64 %2, 0
  br i1 %39, label %58, label %40

40:
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %42 = zext i32 %3 to i64
  %43 = getelementptr inbounds nuw [64 x i32], ptr %41, i64 %42
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 4096
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %48 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %49 = getelementptr inbounds nuw i8, ptr %14, i64 12
  %50 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %51 = getelementptr inbounds nuw i8, ptr %14, i64 20
  %52 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %53 = getelementptr inbounds nuw i8, ptr %14, i64 32
  %54 = getelementptr inbounds nuw i8, ptr %14, i64 40
  %55 = icmp eq i32 %28, 0
  %56 = getelementptr inbounds nuw i8, ptr %10, i64 24
  %57 = getelementptr inbounds nuw i8, ptr %8, i64 24
  br label %59

58:
  call void @llvm.lifetime.end.p0(ptr nonnull %13)
  call void @llvm.lifetime.end.p0(ptr nonnull %12)
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  ret void

59:
  %60 = phi i64 [ %2, %40 ], [ %181, %179 ]
  %61 = call range(i64 0, 65) i64 @llvm.cttz.i64(i64 %60, i1 true)
  %62 = trunc nuw nsw i64 %61 to i32
  %63 = getelementptr inbounds nuw i32, ptr %43, i64 %61
  %64 = load i32, ptr %63, align 4
  %65 = lshr i32 %64, 16
  %66 = and i32 %64, 65535
  %67 = and i32 %64, -6356992
  %68 = icmp eq i32 %67, 0
  br i1 %68, label %72, label %69

69:
  %70 = shl nuw i64 1, %61
  %71 = zext nneg i32 %65 to i64
  call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %70, i32 noundef 26, i64 noundef %71, i64 noundef 0, i64 noundef 0)
  br label %179

72:
  %73 = phi i32 [ %177, %176 ], [ 0, %59 ]
  %74 = icmp eq i32 %73, 0
  br i1 %74, label %97, label %75

75:
  %76 = load ptr, ptr %0, align 8
  %77 = load ptr, ptr %44, align 8
  %78 = getelementptr inbounds nuw i8, ptr %77, i64 8
  %79 = load i32, ptr %78, align 8
  %80 = xor i32 %79, 1
  %81 = getelementptr inbounds nuw i8, ptr %76, i64 12
  %82 = load i32, ptr %81, align 4
  %83 = icmp ult i32 %80, %82
  br i1 %83, label %84, label %93

84:
  %85 = getelementptr inbounds nuw i8, ptr %76, i64 24
  %86 = load ptr, ptr %85, align 8
  %87 = zext i32 %80 to i64
  %88 = getelementptr inbounds nuw ptr, ptr %86, i64 %87
  %89 = load ptr, ptr %88, align 8
  %90 = getelementptr inbounds nuw i8, ptr %89, i64 20
  %91 = load i32, ptr %90, align 4
  %92 = icmp eq i32 %91, 0
  br i1 %92, label %93, label %102

93:
  %94 = load i64, ptr %45, align 8
  %95 = zext i32 %79 to i64
  %96 = zext i32 %82 to i64
  call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %94, i32 noundef 28, i64 noundef %95, i64 noundef %96, i64 noundef 0)
  br label %176

97:
  %98 = load ptr, ptr %44, align 8
  %99 = icmp eq ptr %98, null
  br i1 %99, label %176, label %100

100:
  %101 = load ptr, ptr %0, align 8
  br label %102

102:
  %103 = phi ptr [ %101, %100 ], [ %76, %84 ]
  %104 = phi ptr [ %98, %100 ], [ %89, %84 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %14)
  %105 = getelementptr inbounds nuw i8, ptr %104, i64 912
  %106 = load ptr, ptr %105, align 8
  %107 = getelementptr inbounds nuw i8, ptr %106, i64 24
  %108 = load ptr, ptr %107, align 8
  %109 = zext i1 %74 to i32
  %110 = load i32, ptr %46, align 4
  %111 = add i32 %110, %109
  store i32 %111, ptr %46, align 4
  %112 = zext i32 %111 to i64
  %113 = load i32, ptr %47, align 4
  %114 = getelementptr inbounds nuw i8, ptr %103, i64 120
  %115 = load ptr, ptr %114, align 8
  %116 = zext i32 %113 to i64
  %117 = getelementptr inbounds nuw i8, ptr %103, i64 112
  %118 = load i64, ptr %117, align 8
  %119 = getelementptr inbounds nuw i8, ptr %103, i64 8
  %120 = load i32, ptr %119, align 8
  %121 = zext i32 %120 to i64
  %122 = mul i64 %118, %121
  %123 = add i64 %122, 3
  %124 = mul i64 %123, %116
  %125 = getelementptr inbounds nuw i64, ptr %115, i64 %124
  %126 = getelementptr inbounds nuw i8, ptr %125, i64 24
  %127 = mul nuw nsw i64 %121, 80
  %128 = getelementptr inbounds nuw i8, ptr %126, i64 %127
  %129 = getelementptr inbounds nuw i64, ptr %128, i64 %116
  store i64 %112, ptr %129, align 8
  %130 = shl nuw nsw i64 %116, 28
  %131 = load i64, ptr %103, align 8
  %132 = load ptr, ptr %15, align 8
  %133 = getelementptr inbounds nuw i8, ptr %132, i64 88
  %134 = load i64, ptr %133, align 8
  %135 = sub i64 %131, %134
  %136 = shl i64 %135, 37
  %137 = or i64 %130, %136
  %138 = or i64 %137, %112
  %139 = or i64 %138, 1152921504606846976
  %140 = getelementptr inbounds nuw i8, ptr %132, i64 528
  %141 = load ptr, ptr %140, align 8
  %142 = icmp eq ptr %141, null
  br i1 %142, label %158, label %143

143:
  %144 = getelementptr inbounds nuw i8, ptr %141, i64 16
  %145 = load ptr, ptr %144, align 8
  %146 = load i64, ptr %141, align 8
  %147 = getelementptr inbounds nuw i8, ptr %141, i64 8
  %148 = load i64, ptr %147, align 8
  %149 = urem i64 %146, %148
  %150 = getelementptr inbounds nuw i64, ptr %145, i64 %149
  store i64 %139, ptr %150, align 8
  %151 = getelementptr inbounds nuw i8, ptr %141, i64 24
  %152 = load ptr, ptr %151, align 8
  %153 = load i64, ptr %141, align 8
  %154 = add i64 %153, 1
  store i64 %154, ptr %141, align 8
  %155 = load i64, ptr %147, align 8
  %156 = urem i64 %153, %155
  %157 = getelementptr inbounds nuw i32, ptr %152, i64 %156
  store i32 %1, ptr %157, align 4
  br label %158

158:
  store ptr %0, ptr %14, align 8
  store i32 %1, ptr %48, align 8
  store i32 5, ptr %49, align 4
  store i32 1, ptr %50, align 8
  store i32 1, ptr %51, align 4
  store i64 %139, ptr %52, align 8
  store i64 %139, ptr %53, align 8
  store ptr %108, ptr %54, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %10, ptr noundef nonnull readonly align 8 dereferenceable(40) %13, i64 40, i1 false)
  br i1 %55, label %164, label %159

159:
  %160 = phi i64 [ %162, %159 ], [ 0, %158 ]
  %161 = getelementptr inbounds nuw i32, ptr %9, i64 %160
  store i32 %62, ptr %161, align 4
  %162 = add nuw nsw i64 %160, 1
  %163 = icmp eq i64 %162, %37
  br i1 %163, label %164, label %159

164:
  store ptr %9, ptr %56, align 8
  %165 = call range(i32 0, 2) i32 @access_runs(ptr noundef nonnull %14, ptr noundef nonnull readonly %104, ptr noundef nonnull %10, i32 noundef range(i32 0, 128) %65, i32 noundef range(i32 0, 65536) %66, i32 noundef 128, i32 noundef 0, ptr noundef nonnull %11)
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  %166 = icmp eq i32 %165, 0
  br i1 %166, label %175, label %167

167:
  call void @follow(ptr noundef nonnull %0, ptr noundef nonnull %13, i32 noundef %28, ptr noundef nonnull %11, ptr noundef nonnull %12, i32 noundef 0, i32 noundef 0)
  store i32 2, ptr %50, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %8, ptr noundef nonnull readonly align 8 dereferenceable(40) %13, i64 40, i1 false)
  br i1 %55, label %173, label %168

168:
  %169 = phi i64 [ %171, %168 ], [ 0, %167 ]
  %170 = getelementptr inbounds nuw i32, ptr %7, i64 %169
  store i32 %62, ptr %170, align 4
  %171 = add nuw nsw i64 %169, 1
  %172 = icmp eq i64 %171, %37
  br i1 %172, label %173, label %168

173:
  store ptr %7, ptr %57, align 8
  %174 = call range(i32 0, 2) i32 @access_runs(ptr noundef nonnull %14, ptr noundef nonnull readonly %104, ptr noundef nonnull %8, i32 noundef range(i32 0, 128) %65, i32 noundef range(i32 0, 65536) %66, i32 noundef 128, i32 noundef 0, ptr noundef nonnull %12)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  br label %175

175:
  call void @llvm.lifetime.end.p0(ptr nonnull %14)
  br label %176

176:
  %177 = add i32 %73, 1
  %178 = icmp ugt i32 %177, %5
  br i1 %178, label %179, label %72

179:
  %180 = add i64 %60, -1
  %181 = and i64 %180, %60
  %182 = icmp eq i64 %181, 0
  br i1 %182, label %58, label %59
}

define void @lm_tensor_commit(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = alloca i64, align 8
  %8 = alloca %struct.Access, align 8
  %9 = load ptr, ptr %0, align 8
  %10 = icmp eq i64 %3, 0
  br i1 %10, label %47, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %13 = load i32, ptr %12, align 4
  %14 = getelementptr inbounds nuw i8, ptr %9, i64 120
  %15 = load ptr, ptr %14, align 8
  %16 = zext i32 %13 to i64
  %17 = getelementptr inbounds nuw i8, ptr %9, i64 112
  %18 = load i64, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %20 = load i32, ptr %19, align 8
  %21 = zext i32 %20 to i64
  %22 = mul i64 %18, %21
  %23 = add i64 %22, 3
  %24 = mul i64 %23, %16
  %25 = getelementptr inbounds nuw i64, ptr %15, i64 %24
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 24
  %27 = mul nuw nsw i64 %21, 56
  %28 = getelementptr inbounds nuw i8, ptr %26, i64 %27
  %29 = shl nuw nsw i64 %21, 2
  %30 = getelementptr inbounds nuw i8, ptr %9, i64 128
  %31 = load ptr, ptr %30, align 8
  %32 = shl nuw nsw i64 %16, 3
  %33 = mul i64 %32, %21
  %34 = getelementptr inbounds nuw i64, ptr %31, i64 %33
  %35 = icmp eq i32 %20, 0
  br i1 %35, label %47, label %36

36:
  %37 = phi i64 [ %45, %44 ], [ 0, %11 ]
  %38 = getelementptr inbounds nuw i64, ptr %28, i64 %37
  %39 = load i64, ptr %38, align 8
  %40 = getelementptr inbounds nuw i64, ptr %34, i64 %37
  %41 = load i64, ptr %40, align 8
  %42 = icmp ugt i64 %39, %41
  br i1 %42, label %43, label %44

43:
  store i64 %39, ptr %40, align 8
  br label %44

44:
  %45 = add nuw nsw i64 %37, 1
  %46 = icmp eq i64 %45, %29
  br i1 %46, label %47, label %36

47:
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %49 = load i64, ptr %48, align 8
  %50 = add i64 %49, 1
  store i64 %50, ptr %48, align 8
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 12352
  %52 = icmp eq i32 %5, 0
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %54 = zext i32 %4 to i64
  %55 = getelementptr inbounds nuw [64 x i32], ptr %53, i64 %54
  %56 = getelementptr inbounds nuw i8, ptr %9, i64 12
  %57 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %58 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %59 = getelementptr inbounds nuw i8, ptr %8, i64 12
  %60 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %61 = getelementptr inbounds nuw i8, ptr %8, i64 20
  %62 = getelementptr inbounds nuw i8, ptr %8, i64 24
  br label %64

63:
  ret void

64:
  %65 = phi i64 [ 0, %47 ], [ %123, %122 ]
  %66 = getelementptr inbounds nuw i64, ptr %51, i64 %65
  %67 = load i64, ptr %66, align 8
  %68 = shl nuw nsw i64 1, %65
  %69 = and i64 %68, %3
  %70 = icmp eq i64 %69, 0
  br i1 %70, label %122, label %71

71:
  br i1 %52, label %72, label %74

72:
  %73 = trunc nuw nsw i64 %65 to i32
  tail call fastcc void @commit_to(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %73, i32 noundef %2, i64 noundef %67)
  br label %122

74:
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  %75 = getelementptr inbounds nuw i32, ptr %55, i64 %65
  %76 = load i32, ptr %75, align 4
  %77 = and i32 %76, 65535
  %78 = icmp ne i32 %77, 0
  %79 = load i32, ptr %56, align 4
  %80 = lshr i32 %77, %79
  %81 = icmp eq i32 %80, 0
  %82 = select i1 %78, i1 %81, i1 false
  br i1 %82, label %86, label %83

83:
  %84 = zext nneg i32 %77 to i64
  %85 = zext i32 %79 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %68, i32 noundef 27, i64 noundef %84, i64 noundef %85, i64 noundef 0)
  br label %86

86:
  %87 = call ptr @memory_at(ptr noundef nonnull %0, i32 noundef %2, i64 noundef %67, i64 noundef 8, ptr noundef nonnull %7)
  %88 = icmp eq ptr %87, null
  br i1 %88, label %99, label %89

89:
  %90 = getelementptr inbounds nuw i8, ptr %87, i64 84
  %91 = load i32, ptr %90, align 4
  %92 = icmp eq i32 %91, 1
  br i1 %92, label %93, label %99

93:
  %94 = load i32, ptr %56, align 4
  %95 = icmp eq i32 %94, 0
  br i1 %95, label %121, label %96

96:
  %97 = load i64, ptr %7, align 8
  %98 = trunc nuw nsw i64 %65 to i32
  br label %101

99:
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  store ptr %0, ptr %8, align 8
  store i32 %1, ptr %58, align 8
  store i32 1, ptr %59, align 4
  store i32 0, ptr %60, align 8
  store i32 1, ptr %61, align 4
  %100 = trunc nuw nsw i64 %65 to i32
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %62, i8 0, i64 24, i1 false)
  call void @out_of_bounds(ptr noundef nonnull %8, i32 noundef %100, i64 noundef %67, i64 noundef 8)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  br label %121

101:
  %102 = phi i32 [ %94, %96 ], [ %117, %116 ]
  %103 = phi i64 [ 0, %96 ], [ %118, %116 ]
  %104 = trunc nuw i64 %103 to i32
  %105 = shl nuw i32 1, %104
  %106 = and i32 %105, %77
  %107 = icmp eq i32 %106, 0
  br i1 %107, label %116, label %108

108:
  %109 = load ptr, ptr %57, align 8
  %110 = getelementptr inbounds nuw ptr, ptr %109, i64 %103
  %111 = load ptr, ptr %110, align 8
  %112 = getelementptr inbounds nuw i8, ptr %111, i64 24
  %113 = load i64, ptr %112, align 8
  %114 = add i64 %97, %113
  tail call fastcc void @commit_to(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %98, i32 noundef 4, i64 noundef %114)
  %115 = load i32, ptr %56, align 4
  br label %116

116:
  %117 = phi i32 [ %102, %101 ], [ %115, %108 ]
  %118 = add nuw nsw i64 %103, 1
  %119 = zext i32 %117 to i64
  %120 = icmp samesign ult i64 %118, %119
  br i1 %120, label %101, label %121

121:
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  br label %122

122:
  %123 = add nuw nsw i64 %65, 1
  %124 = icmp eq i64 %123, 32
  br i1 %124, label %63, label %64
}

define void @lm_tensor_fence(ptr noundef readonly captures(none) %0, i64 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = icmp eq i64 %1, 0
  br i1 %4, label %60, label %5

5:
  %6 = load ptr, ptr %0, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %8 = load i32, ptr %7, align 4
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 120
  %10 = load ptr, ptr %9, align 8
  %11 = zext i32 %8 to i64
  %12 = getelementptr inbounds nuw i8, ptr %6, i64 112
  %13 = load i64, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %15 = load i32, ptr %14, align 8
  %16 = zext i32 %15 to i64
  %17 = mul i64 %13, %16
  %18 = add i64 %17, 3
  %19 = mul i64 %18, %11
  %20 = getelementptr inbounds nuw i64, ptr %10, i64 %19
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 24
  %22 = mul nuw nsw i64 %16, 56
  %23 = getelementptr inbounds nuw i8, ptr %21, i64 %22
  %24 = shl nuw nsw i64 %16, 2
  %25 = icmp eq i32 %2, 0
  %26 = getelementptr inbounds nuw i8, ptr %6, i64 128
  %27 = load ptr, ptr %26, align 8
  %28 = shl nuw nsw i64 %11, 3
  br i1 %25, label %45, label %29

29:
  %30 = or disjoint i64 %28, 4
  %31 = mul i64 %30, %16
  %32 = getelementptr inbounds nuw i64, ptr %27, i64 %31
  %33 = icmp eq i32 %15, 0
  br i1 %33, label %60, label %34

34:
  %35 = phi i64 [ %43, %42 ], [ 0, %29 ]
  %36 = getelementptr inbounds nuw i64, ptr %32, i64 %35
  %37 = load i64, ptr %36, align 8
  %38 = getelementptr inbounds nuw i64, ptr %23, i64 %35
  %39 = load i64, ptr %38, align 8
  %40 = icmp ugt i64 %37, %39
  br i1 %40, label %41, label %42

41:
  store i64 %37, ptr %38, align 8
  br label %42

42:
  %43 = add nuw nsw i64 %35, 1
  %44 = icmp eq i64 %43, %24
  br i1 %44, label %60, label %34

45:
  %46 = mul i64 %28, %16
  %47 = getelementptr inbounds nuw i64, ptr %27, i64 %46
  %48 = icmp eq i32 %15, 0
  br i1 %48, label %60, label %49

49:
  %50 = phi i64 [ %58, %57 ], [ 0, %45 ]
  %51 = getelementptr inbounds nuw i64, ptr %23, i64 %50
  %52 = load i64, ptr %51, align 8
  %53 = getelementptr inbounds nuw i64, ptr %47, i64 %50
  %54 = load i64, ptr %53, align 8
  %55 = icmp ugt i64 %52, %54
  br i1 %55, label %56, label %57

56:
  store i64 %52, ptr %53, align 8
  br label %57

57:
  %58 = add nuw nsw i64 %50, 1
  %59 = icmp eq i64 %58, %24
  br i1 %59, label %60, label %49

60:
  ret void
}

define internal fastcc void @commit_to(ptr noundef %0, i32 noundef %1, i32 noundef range(i32 0, 32) %2, i32 noundef %3, i64 noundef %4) unnamed_addr {
  %6 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  %7 = call ptr @mbarrier_find(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i64 noundef %4, ptr noundef nonnull %6)
  %8 = icmp eq ptr %7, null
  br i1 %8, label %141, label %9

9:
  %10 = load ptr, ptr %6, align 8
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 912
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %16 = load ptr, ptr %15, align 8
  %17 = ptrtoint ptr %7 to i64
  %18 = ptrtoint ptr %16 to i64
  %19 = sub i64 %17, %18
  %20 = ashr exact i64 %19, 4
  %21 = load ptr, ptr %10, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 112
  %23 = load i64, ptr %22, align 8
  %24 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %25 = load i32, ptr %24, align 8
  %26 = zext i32 %25 to i64
  %27 = mul i64 %23, %26
  %28 = add i64 %27, 3
  %29 = mul i64 %28, %20
  %30 = getelementptr inbounds nuw i64, ptr %14, i64 %29
  %31 = load ptr, ptr %0, align 8
  %32 = getelementptr inbounds nuw i8, ptr %31, i64 120
  %33 = load ptr, ptr %32, align 8
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %35 = load i32, ptr %34, align 4
  %36 = zext i32 %35 to i64
  %37 = getelementptr inbounds nuw i8, ptr %31, i64 112
  %38 = load i64, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %31, i64 8
  %40 = load i32, ptr %39, align 8
  %41 = zext i32 %40 to i64
  %42 = mul i64 %38, %41
  %43 = add i64 %42, 3
  %44 = mul i64 %43, %36
  %45 = getelementptr inbounds nuw i64, ptr %33, i64 %44
  %46 = tail call i64 @llvm.umin.i64(i64 %38, i64 7)
  %47 = mul nuw nsw i64 %46, %41
  %48 = add nuw nsw i64 %47, 2
  br label %49

49:
  %50 = phi i64 [ %58, %57 ], [ 0, %9 ]
  %51 = getelementptr inbounds nuw i64, ptr %45, i64 %50
  %52 = load i64, ptr %51, align 8
  %53 = getelementptr inbounds nuw i64, ptr %30, i64 %50
  %54 = load i64, ptr %53, align 8
  %55 = icmp ugt i64 %52, %54
  br i1 %55, label %56, label %57

56:
  store i64 %52, ptr %53, align 8
  br label %57

57:
  %58 = add nuw nsw i64 %50, 1
  %59 = icmp eq i64 %50, %48
  br i1 %59, label %60, label %49

60:
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %62 = load ptr, ptr %61, align 8
  %63 = getelementptr inbounds nuw i8, ptr %62, i64 144
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %66 = getelementptr inbounds nuw i8, ptr %30, i64 24
  %67 = getelementptr inbounds nuw i64, ptr %66, i64 %36
  br label %91

68:
  %69 = getelementptr inbounds nuw i8, ptr %31, i64 128
  %70 = load ptr, ptr %69, align 8
  %71 = icmp eq ptr %70, null
  br i1 %71, label %106, label %72

72:
  %73 = mul nuw nsw i64 %41, 56
  %74 = getelementptr inbounds nuw i8, ptr %66, i64 %73
  %75 = shl nuw nsw i64 %36, 3
  %76 = mul i64 %75, %41
  %77 = getelementptr inbounds nuw i64, ptr %70, i64 %76
  %78 = shl nuw nsw i64 %41, 2
  %79 = icmp eq i32 %40, 0
  br i1 %79, label %106, label %80

80:
  %81 = phi i64 [ %89, %88 ], [ 0, %72 ]
  %82 = getelementptr inbounds nuw i64, ptr %77, i64 %81
  %83 = load i64, ptr %82, align 8
  %84 = getelementptr inbounds nuw i64, ptr %74, i64 %81
  %85 = load i64, ptr %84, align 8
  %86 = icmp ugt i64 %83, %85
  br i1 %86, label %87, label %88

87:
  store i64 %83, ptr %84, align 8
  br label %88

88:
  %89 = add nuw nsw i64 %81, 1
  %90 = icmp eq i64 %89, %78
  br i1 %90, label %106, label %80

91:
  %92 = phi i1 [ true, %60 ], [ false, %105 ]
  %93 = phi i64 [ 0, %60 ], [ 1, %105 ]
  %94 = load i64, ptr %63, align 8
  %95 = icmp ne i64 %94, 0
  %96 = or i1 %92, %95
  %97 = getelementptr inbounds nuw i64, ptr %64, i64 %93
  %98 = select i1 %96, ptr %97, ptr %65
  %99 = load i64, ptr %98, align 8
  %100 = mul nuw nsw i64 %93, %41
  %101 = getelementptr inbounds nuw i64, ptr %67, i64 %100
  %102 = load i64, ptr %101, align 8
  %103 = icmp ugt i64 %99, %102
  br i1 %103, label %104, label %105

104:
  store i64 %99, ptr %101, align 8
  br label %105

105:
  br i1 %92, label %91, label %68

106:
  %107 = getelementptr inbounds nuw i8, ptr %0, i64 4096
  %108 = load i32, ptr %107, align 8
  %109 = zext i32 %108 to i64
  %110 = mul nuw nsw i64 %41, 72
  %111 = getelementptr inbounds nuw i8, ptr %66, i64 %110
  %112 = mul nuw nsw i64 %41, 48
  %113 = getelementptr inbounds nuw i8, ptr %66, i64 %112
  %114 = getelementptr inbounds nuw i64, ptr %111, i64 %36
  %115 = load i64, ptr %114, align 8
  %116 = icmp ult i64 %115, %109
  br i1 %116, label %117, label %118

117:
  store i64 %109, ptr %114, align 8
  br label %118

118:
  %119 = getelementptr inbounds nuw i64, ptr %113, i64 %36
  %120 = load i64, ptr %119, align 8
  %121 = icmp ult i64 %120, %109
  br i1 %121, label %122, label %123

122:
  store i64 %109, ptr %119, align 8
  br label %123

123:
  %124 = getelementptr inbounds nuw i8, ptr %7, i64 20
  %125 = load i32, ptr %124, align 4
  %126 = icmp eq i32 %125, 0
  br i1 %126, label %127, label %133

127:
  %128 = zext nneg i32 %2 to i64
  %129 = shl nuw nsw i64 1, %128
  %130 = load i64, ptr %7, align 8
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %129, i32 noundef 35, i64 noundef 1, i64 noundef 0, i64 noundef %130)
  %131 = load i32, ptr %124, align 4
  %132 = load ptr, ptr %61, align 8
  br label %133

133:
  %134 = phi ptr [ %132, %127 ], [ %62, %123 ]
  %135 = phi i32 [ %131, %127 ], [ %125, %123 ]
  %136 = phi i32 [ %131, %127 ], [ 1, %123 ]
  %137 = getelementptr inbounds nuw i8, ptr %134, i64 152
  %138 = load i64, ptr %137, align 8
  %139 = add i64 %138, 1
  store i64 %139, ptr %137, align 8
  %140 = sub i32 %135, %136
  store i32 %140, ptr %124, align 4
  tail call fastcc void @complete_phase(ptr noundef nonnull readonly %10, ptr noundef nonnull %7)
  br label %141

141:
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  ret void
}

define range(i32 0, 2) i32 @access_runs(ptr noundef %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, ptr noundef %7) local_unnamed_addr {
  %9 = alloca %struct.Range, align 8
  %10 = getelementptr inbounds nuw i8, ptr %2, i64 4
  %11 = load i32, ptr %10, align 4
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %125, label %13

13:
  %14 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %15 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %16 = getelementptr inbounds nuw i8, ptr %9, i64 12
  %17 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %18 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %19 = getelementptr inbounds nuw i8, ptr %9, i64 20
  %20 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %21 = getelementptr inbounds nuw i8, ptr %9, i64 32
  %22 = getelementptr inbounds nuw i8, ptr %9, i64 40
  %23 = getelementptr inbounds nuw i8, ptr %9, i64 48
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %25 = getelementptr inbounds nuw i8, ptr %1, i64 912
  %26 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %27 = zext i32 %6 to i64
  %28 = zext i32 %3 to i64
  %29 = add nuw nsw i64 %27, %28
  %30 = getelementptr inbounds nuw i8, ptr %7, i64 32768
  %31 = getelementptr inbounds nuw i8, ptr %7, i64 65536
  br label %32

32:
  %33 = phi i64 [ 0, %13 ], [ %120, %116 ]
  %34 = phi i32 [ 0, %13 ], [ %119, %116 ]
  %35 = load ptr, ptr %14, align 8
  %36 = mul nuw nsw i64 %33, 3
  %37 = and i64 %36, 4294967295
  %38 = getelementptr inbounds nuw i32, ptr %35, i64 %37
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 8
  %40 = load i32, ptr %39, align 4
  %41 = shl i32 %40, 2
  %42 = shl i32 %34, 2
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  store i32 %41, ptr %15, align 8
  store i32 4, ptr %16, align 4
  %43 = load ptr, ptr %18, align 8
  %44 = zext i32 %34 to i64
  %45 = getelementptr inbounds nuw i32, ptr %43, i64 %44
  %46 = load i32, ptr %45, align 4
  store i32 %46, ptr %17, align 8
  store i32 0, ptr %19, align 4
  %47 = zext i32 %42 to i64
  %48 = getelementptr inbounds nuw i8, ptr %7, i64 %47
  store ptr %48, ptr %20, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %21, i8 0, i64 16, i1 false)
  store ptr %45, ptr %23, align 8
  %49 = load i32, ptr %38, align 4
  %50 = add i32 %49, %3
  %51 = add i32 %40, -1
  %52 = add i32 %51, %50
  %53 = icmp ult i32 %52, %5
  br i1 %53, label %54, label %90

54:
  %55 = getelementptr inbounds nuw i8, ptr %38, i64 4
  %56 = load i32, ptr %55, align 4
  %57 = add i32 %56, %4
  %58 = load ptr, ptr %0, align 8
  %59 = load i32, ptr %24, align 8
  %60 = icmp ugt i32 %57, 511
  br i1 %60, label %85, label %61

61:
  %62 = load ptr, ptr %25, align 8
  %63 = getelementptr inbounds nuw i8, ptr %62, i64 24
  %64 = load ptr, ptr %63, align 8
  %65 = getelementptr inbounds nuw i8, ptr %64, i64 96
  %66 = lshr i32 %57, 5
  %67 = zext nneg i32 %66 to i64
  %68 = getelementptr inbounds nuw %struct.TensorUnit, ptr %65, i64 %67
  %69 = load ptr, ptr %1, align 8
  %70 = load i64, ptr %69, align 8
  %71 = shl i64 %70, 4
  %72 = load i32, ptr %26, align 8
  %73 = zext i32 %72 to i64
  %74 = or disjoint i64 %71, 1
  %75 = add i64 %74, %73
  %76 = load i64, ptr %68, align 8
  %77 = icmp eq i64 %76, %75
  br i1 %77, label %101, label %78

78:
  %79 = icmp eq i64 %76, 0
  br i1 %79, label %80, label %85

80:
  %81 = getelementptr inbounds nuw i8, ptr %68, i64 8
  %82 = load i64, ptr %81, align 8
  %83 = icmp eq i64 %82, %75
  %84 = select i1 %83, i32 14, i32 13
  br label %85

85:
  %86 = phi i32 [ 15, %78 ], [ %84, %80 ], [ 12, %54 ]
  %87 = zext nneg i32 %46 to i64
  %88 = shl nuw i64 1, %87
  %89 = zext i32 %57 to i64
  tail call void @tensor_rule(ptr noundef %58, i32 noundef %59, i64 noundef %88, i32 noundef %86, i64 noundef %89, i64 noundef 0, i64 noundef 0)
  br label %124

90:
  %91 = load ptr, ptr %0, align 8
  %92 = load i32, ptr %24, align 8
  %93 = add i32 %34, %5
  %94 = sub i32 %93, %50
  %95 = zext i32 %94 to i64
  %96 = getelementptr inbounds nuw i32, ptr %43, i64 %95
  %97 = load i32, ptr %96, align 4
  %98 = zext nneg i32 %97 to i64
  %99 = shl nuw i64 1, %98
  %100 = zext i32 %5 to i64
  tail call void @tensor_rule(ptr noundef %91, i32 noundef %92, i64 noundef %99, i32 noundef 11, i64 noundef %28, i64 noundef %100, i64 noundef 0)
  br label %124

101:
  %102 = zext i32 %49 to i64
  %103 = add nuw nsw i64 %29, %102
  %104 = shl nuw nsw i32 %57, 9
  %105 = zext nneg i32 %104 to i64
  %106 = shl nuw nsw i64 %103, 2
  %107 = add nuw nsw i64 %106, %105
  store i64 %107, ptr %9, align 8
  %108 = getelementptr inbounds nuw i8, ptr %58, i64 16
  %109 = load ptr, ptr %108, align 8
  %110 = getelementptr inbounds nuw i8, ptr %109, i64 128
  %111 = load i64, ptr %110, align 8
  %112 = icmp eq i64 %111, 0
  br i1 %112, label %116, label %113

113:
  %114 = getelementptr inbounds nuw i8, ptr %30, i64 %47
  store ptr %114, ptr %21, align 8
  %115 = getelementptr inbounds nuw i32, ptr %31, i64 %47
  store ptr %115, ptr %22, align 8
  br label %116

116:
  %117 = call i32 @access(ptr noundef nonnull %0, ptr noundef nonnull %9)
  %118 = load i32, ptr %39, align 4
  %119 = add i32 %118, %34
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  %120 = add nuw nsw i64 %33, 1
  %121 = load i32, ptr %10, align 4
  %122 = zext i32 %121 to i64
  %123 = icmp samesign ult i64 %120, %122
  br i1 %123, label %32, label %125

124:
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  br label %125

125:
  %126 = phi i32 [ 0, %124 ], [ 1, %8 ], [ 1, %116 ]
  ret i32 %126
}

define void @lm_tensor_load(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = alloca %struct.Moved, align 4
  %8 = alloca %struct.Moved, align 4
  %9 = alloca %struct.Table, align 8
  %10 = alloca %struct.Access, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 136
  %14 = load ptr, ptr %13, align 8
  %15 = zext i32 %3 to i64
  %16 = getelementptr inbounds nuw ptr, ptr %14, i64 %15
  %17 = load ptr, ptr %16, align 8
  %18 = load i32, ptr %17, align 4
  store i32 %18, ptr %9, align 8
  %19 = getelementptr inbounds nuw i8, ptr %9, i64 4
  %20 = getelementptr inbounds nuw i8, ptr %17, i64 4
  %21 = load i32, ptr %20, align 4
  store i32 %21, ptr %19, align 4
  %22 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %23 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %24 = load i32, ptr %23, align 4
  store i32 %24, ptr %22, align 8
  %25 = getelementptr inbounds nuw i8, ptr %9, i64 12
  store i32 0, ptr %25, align 4
  %26 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %27 = getelementptr inbounds nuw i8, ptr %17, i64 12
  store ptr %27, ptr %26, align 8
  %28 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %29 = getelementptr inbounds nuw i8, ptr %9, i64 32
  %30 = mul i32 %21, 3
  %31 = zext i32 %30 to i64
  %32 = getelementptr inbounds nuw i32, ptr %27, i64 %31
  store ptr %32, ptr %28, align 8
  %33 = zext i32 %24 to i64
  %34 = getelementptr inbounds nuw i32, ptr %32, i64 %33
  store ptr %34, ptr %29, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %36 = load ptr, ptr %35, align 8
  %37 = getelementptr inbounds nuw i8, ptr %36, i64 912
  %38 = load ptr, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 24
  %40 = load ptr, ptr %39, align 8
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 4088
  %42 = load i32, ptr %41, align 8
  %43 = add i32 %42, 1
  store i32 %43, ptr %41, align 8
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %45 = load i32, ptr %44, align 4
  %46 = load ptr, ptr %0, align 8
  %47 = zext i32 %43 to i64
  %48 = zext i32 %45 to i64
  %49 = shl nuw nsw i64 %48, 28
  %50 = load i64, ptr %46, align 8
  %51 = getelementptr inbounds nuw i8, ptr %12, i64 88
  %52 = load i64, ptr %51, align 8
  %53 = sub i64 %50, %52
  %54 = shl i64 %53, 37
  %55 = or i64 %49, %47
  %56 = or i64 %55, %54
  %57 = or i64 %56, 576460752303423488
  %58 = getelementptr inbounds nuw i8, ptr %12, i64 528
  %59 = load ptr, ptr %58, align 8
  %60 = icmp eq ptr %59, null
  br i1 %60, label %76, label %61

61:
  %62 = getelementptr inbounds nuw i8, ptr %59, i64 16
  %63 = load ptr, ptr %62, align 8
  %64 = load i64, ptr %59, align 8
  %65 = getelementptr inbounds nuw i8, ptr %59, i64 8
  %66 = load i64, ptr %65, align 8
  %67 = urem i64 %64, %66
  %68 = getelementptr inbounds nuw i64, ptr %63, i64 %67
  store i64 %57, ptr %68, align 8
  %69 = getelementptr inbounds nuw i8, ptr %59, i64 24
  %70 = load ptr, ptr %69, align 8
  %71 = load i64, ptr %59, align 8
  %72 = add i64 %71, 1
  store i64 %72, ptr %59, align 8
  %73 = load i64, ptr %65, align 8
  %74 = urem i64 %71, %73
  %75 = getelementptr inbounds nuw i32, ptr %70, i64 %74
  store i32 %1, ptr %75, align 4
  br label %76

76:
  store ptr %0, ptr %10, align 8
  %77 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store i32 %1, ptr %77, align 8
  %78 = getelementptr inbounds nuw i8, ptr %10, i64 12
  store i32 5, ptr %78, align 4
  %79 = getelementptr inbounds nuw i8, ptr %10, i64 16
  store i32 1, ptr %79, align 8
  %80 = getelementptr inbounds nuw i8, ptr %10, i64 20
  store i32 1, ptr %80, align 4
  %81 = getelementptr inbounds nuw i8, ptr %10, i64 24
  store i64 %57, ptr %81, align 8
  %82 = getelementptr inbounds nuw i8, ptr %10, i64 32
  store i64 %57, ptr %82, align 8
  %83 = getelementptr inbounds nuw i8, ptr %10, i64 40
  store ptr %40, ptr %83, align 8
  %84 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %85 = load i32, ptr %84, align 8
  %86 = and i32 %85, 3
  %87 = lshr i32 %2, 16
  %88 = icmp ugt i32 %2, 8388607
  br i1 %88, label %94, label %89

89:
  %90 = icmp eq i32 %5, 0
  %91 = lshr i32 %2, 21
  %92 = icmp eq i32 %91, %86
  %93 = select i1 %90, i1 true, i1 %92
  br i1 %93, label %103, label %94

94:
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %96 = load i64, ptr %95, align 8
  %97 = zext nneg i32 %87 to i64
  %98 = zext i32 %85 to i64
  %99 = shl nuw nsw i32 %86, 5
  %100 = zext nneg i32 %99 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %96, i32 noundef 10, i64 noundef %97, i64 noundef %98, i64 noundef %100)
  %101 = load ptr, ptr %35, align 8
  %102 = load i32, ptr %84, align 8
  br label %103

103:
  %104 = phi i32 [ %85, %89 ], [ %102, %94 ]
  %105 = phi ptr [ %36, %89 ], [ %101, %94 ]
  %106 = and i32 %87, 31
  %107 = and i32 %2, 65535
  %108 = shl i32 %104, 5
  %109 = and i32 %108, 96
  %110 = call i32 @access_runs(ptr noundef nonnull %10, ptr noundef %105, ptr noundef nonnull %9, i32 noundef %106, i32 noundef %107, i32 noundef 32, i32 noundef %109, ptr noundef nonnull %7)
  %111 = icmp eq i32 %110, 0
  br i1 %111, label %112, label %113

112:
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(196608) %7, i8 0, i64 196608, i1 false)
  br label %113

113:
  %114 = shl i32 %4, 5
  call void @follow(ptr noundef nonnull %0, ptr noundef nonnull %9, i32 noundef %114, ptr noundef nonnull %7, ptr noundef nonnull %8, i32 noundef 1, i32 noundef 0)
  %115 = icmp eq i32 %4, 0
  %116 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %117 = getelementptr inbounds nuw i8, ptr %8, i64 32768
  %118 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %119 = getelementptr inbounds nuw i8, ptr %8, i64 65536
  %120 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %121 = zext i32 %4 to i64
  br label %122

122:
  %123 = phi i64 [ 0, %113 ], [ %133, %132 ]
  br i1 %115, label %132, label %124

124:
  %125 = trunc nuw i64 %123 to i32
  %126 = mul i32 %4, %125
  %127 = getelementptr inbounds nuw i32, ptr %116, i64 %123
  %128 = load ptr, ptr %11, align 8
  %129 = getelementptr inbounds nuw i8, ptr %128, i64 128
  %130 = getelementptr inbounds nuw i32, ptr %118, i64 %123
  %131 = getelementptr inbounds nuw i32, ptr %120, i64 %123
  br label %146

132:
  %133 = add nuw nsw i64 %123, 1
  %134 = icmp eq i64 %133, 32
  br i1 %134, label %135, label %122

135:
  %136 = load ptr, ptr %11, align 8
  %137 = getelementptr inbounds nuw i8, ptr %136, i64 128
  %138 = load i64, ptr %137, align 8
  %139 = icmp eq i64 %138, 0
  %140 = shl i32 %4, 7
  %141 = icmp ne i32 %140, 0
  %142 = and i1 %139, %141
  br i1 %142, label %143, label %181

143:
  %144 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %145 = zext i32 %140 to i64
  br label %182

146:
  %147 = phi i64 [ 0, %124 ], [ %179, %178 ]
  %148 = trunc nuw i64 %147 to i32
  %149 = add i32 %126, %148
  %150 = shl i32 %149, 2
  %151 = getelementptr inbounds nuw [64 x i32], ptr %127, i64 %147
  %152 = zext i32 %150 to i64
  %153 = getelementptr inbounds nuw i8, ptr %8, i64 %152
  %154 = load i32, ptr %153, align 4
  store i32 %154, ptr %151, align 4
  %155 = load i64, ptr %129, align 8
  %156 = icmp eq i64 %155, 0
  br i1 %156, label %178, label %157

157:
  %158 = getelementptr inbounds nuw i8, ptr %117, i64 %152
  %159 = load i32, ptr %158, align 4
  %160 = getelementptr inbounds nuw [64 x i32], ptr %130, i64 %147
  store i32 %159, ptr %160, align 4
  br label %163

161:
  %162 = getelementptr inbounds nuw [64 x i32], ptr %131, i64 %147
  store i32 %173, ptr %162, align 4
  br label %178

163:
  %164 = phi i64 [ 0, %157 ], [ %174, %172 ]
  %165 = or disjoint i64 %164, %152
  %166 = getelementptr inbounds nuw i8, ptr %117, i64 %165
  %167 = load i8, ptr %166, align 1
  %168 = icmp eq i8 %167, 0
  br i1 %168, label %172, label %169

169:
  %170 = getelementptr inbounds nuw i32, ptr %119, i64 %165
  %171 = load i32, ptr %170, align 4
  br label %172

172:
  %173 = phi i32 [ %171, %169 ], [ 0, %163 ]
  %174 = add nuw nsw i64 %164, 1
  %175 = icmp samesign ult i64 %164, 3
  %176 = icmp eq i32 %173, 0
  %177 = select i1 %175, i1 %176, i1 false
  br i1 %177, label %163, label %161

178:
  %179 = add nuw nsw i64 %147, 1
  %180 = icmp eq i64 %179, %121
  br i1 %180, label %132, label %146

181:
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  ret void

182:
  %183 = phi i64 [ 0, %143 ], [ %189, %188 ]
  %184 = getelementptr inbounds nuw i8, ptr %117, i64 %183
  %185 = load i8, ptr %184, align 1
  %186 = icmp eq i8 %185, 0
  br i1 %186, label %188, label %187

187:
  store i32 2, ptr %144, align 8
  br label %188

188:
  %189 = add nuw nsw i64 %183, 1
  %190 = icmp samesign ult i64 %189, %145
  br i1 %190, label %182, label %181
}

define void @lm_tensor_store(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = alloca %struct.Moved, align 4
  %8 = alloca %struct.Moved, align 4
  %9 = alloca %struct.Table, align 8
  %10 = alloca %struct.Access, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %7)
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 136
  %14 = load ptr, ptr %13, align 8
  %15 = zext i32 %3 to i64
  %16 = getelementptr inbounds nuw ptr, ptr %14, i64 %15
  %17 = load ptr, ptr %16, align 8
  %18 = load i32, ptr %17, align 4
  store i32 %18, ptr %9, align 8
  %19 = getelementptr inbounds nuw i8, ptr %9, i64 4
  %20 = getelementptr inbounds nuw i8, ptr %17, i64 4
  %21 = load i32, ptr %20, align 4
  store i32 %21, ptr %19, align 4
  %22 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %23 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %24 = load i32, ptr %23, align 4
  store i32 %24, ptr %22, align 8
  %25 = getelementptr inbounds nuw i8, ptr %9, i64 12
  store i32 0, ptr %25, align 4
  %26 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %27 = getelementptr inbounds nuw i8, ptr %17, i64 12
  store ptr %27, ptr %26, align 8
  %28 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %29 = getelementptr inbounds nuw i8, ptr %9, i64 32
  %30 = mul i32 %21, 3
  %31 = zext i32 %30 to i64
  %32 = getelementptr inbounds nuw i32, ptr %27, i64 %31
  store ptr %32, ptr %28, align 8
  %33 = zext i32 %24 to i64
  %34 = getelementptr inbounds nuw i32, ptr %32, i64 %33
  store ptr %34, ptr %29, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %36 = load ptr, ptr %35, align 8
  %37 = getelementptr inbounds nuw i8, ptr %36, i64 912
  %38 = load ptr, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 24
  %40 = load ptr, ptr %39, align 8
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 4092
  %42 = load i32, ptr %41, align 4
  %43 = add i32 %42, 1
  store i32 %43, ptr %41, align 4
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %45 = load i32, ptr %44, align 4
  %46 = load ptr, ptr %0, align 8
  %47 = zext i32 %43 to i64
  %48 = zext i32 %45 to i64
  %49 = shl nuw nsw i64 %48, 28
  %50 = load i64, ptr %46, align 8
  %51 = getelementptr inbounds nuw i8, ptr %12, i64 88
  %52 = load i64, ptr %51, align 8
  %53 = sub i64 %50, %52
  %54 = shl i64 %53, 37
  %55 = or i64 %49, %47
  %56 = or i64 %55, %54
  %57 = or i64 %56, 864691128455135232
  %58 = getelementptr inbounds nuw i8, ptr %12, i64 528
  %59 = load ptr, ptr %58, align 8
  %60 = icmp eq ptr %59, null
  br i1 %60, label %76, label %61

61:
  %62 = getelementptr inbounds nuw i8, ptr %59, i64 16
  %63 = load ptr, ptr %62, align 8
  %64 = load i64, ptr %59, align 8
  %65 = getelementptr inbounds nuw i8, ptr %59, i64 8
  %66 = load i64, ptr %65, align 8
  %67 = urem i64 %64, %66
  %68 = getelementptr inbounds nuw i64, ptr %63, i64 %67
  store i64 %57, ptr %68, align 8
  %69 = getelementptr inbounds nuw i8, ptr %59, i64 24
  %70 = load ptr, ptr %69, align 8
  %71 = load i64, ptr %59, align 8
  %72 = add i64 %71, 1
  store i64 %72, ptr %59, align 8
  %73 = load i64, ptr %65, align 8
  %74 = urem i64 %71, %73
  %75 = getelementptr inbounds nuw i32, ptr %70, i64 %74
  store i32 %1, ptr %75, align 4
  br label %76

76:
  store ptr %0, ptr %10, align 8
  %77 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store i32 %1, ptr %77, align 8
  %78 = getelementptr inbounds nuw i8, ptr %10, i64 12
  store i32 5, ptr %78, align 4
  %79 = getelementptr inbounds nuw i8, ptr %10, i64 16
  store i32 2, ptr %79, align 8
  %80 = getelementptr inbounds nuw i8, ptr %10, i64 20
  store i32 1, ptr %80, align 4
  %81 = getelementptr inbounds nuw i8, ptr %10, i64 24
  store i64 %57, ptr %81, align 8
  %82 = getelementptr inbounds nuw i8, ptr %10, i64 32
  store i64 %57, ptr %82, align 8
  %83 = getelementptr inbounds nuw i8, ptr %10, i64 40
  store ptr %40, ptr %83, align 8
  %84 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %85 = load i32, ptr %84, align 8
  %86 = and i32 %85, 3
  %87 = lshr i32 %2, 16
  %88 = icmp ugt i32 %2, 8388607
  br i1 %88, label %94, label %89

89:
  %90 = icmp eq i32 %5, 0
  %91 = lshr i32 %2, 21
  %92 = icmp eq i32 %91, %86
  %93 = select i1 %90, i1 true, i1 %92
  br i1 %93, label %101, label %94

94:
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %96 = load i64, ptr %95, align 8
  %97 = zext nneg i32 %87 to i64
  %98 = zext i32 %85 to i64
  %99 = shl nuw nsw i32 %86, 5
  %100 = zext nneg i32 %99 to i64
  tail call void @tensor_rule(ptr noundef nonnull %0, i32 noundef %1, i64 noundef %96, i32 noundef 10, i64 noundef %97, i64 noundef %98, i64 noundef %100)
  br label %101

101:
  %102 = and i32 %87, 31
  %103 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %104 = load i64, ptr %103, align 8
  br label %105

105:
  %106 = phi i64 [ 0, %101 ], [ %111, %110 ]
  %107 = shl nuw nsw i64 1, %106
  %108 = and i64 %107, %104
  %109 = icmp eq i64 %108, 0
  br i1 %109, label %110, label %113

110:
  %111 = add nuw nsw i64 %106, 1
  %112 = icmp eq i64 %111, 63
  br i1 %112, label %115, label %105

113:
  %114 = trunc nuw nsw i64 %106 to i32
  br label %115

115:
  %116 = phi i32 [ %114, %113 ], [ 63, %110 ]
  %117 = icmp eq i32 %4, 0
  %118 = getelementptr inbounds nuw i8, ptr %0, i64 12864
  %119 = getelementptr inbounds nuw i8, ptr %7, i64 32768
  %120 = getelementptr inbounds nuw i8, ptr %0, i64 47680
  %121 = getelementptr inbounds nuw i8, ptr %0, i64 82496
  %122 = getelementptr inbounds nuw i8, ptr %7, i64 65536
  %123 = zext i32 %4 to i64
  br label %124

124:
  %125 = phi i64 [ 0, %115 ], [ %137, %136 ]
  br i1 %117, label %136, label %126

126:
  %127 = trunc nuw i64 %125 to i32
  %128 = mul i32 %4, %127
  %129 = getelementptr inbounds nuw i32, ptr %118, i64 %125
  %130 = getelementptr inbounds nuw i32, ptr %120, i64 %125
  %131 = getelementptr inbounds nuw i32, ptr %121, i64 %125
  %132 = load ptr, ptr %11, align 8
  %133 = getelementptr inbounds nuw i8, ptr %132, i64 128
  %134 = load i64, ptr %133, align 8
  %135 = icmp eq i64 %134, 0
  br label %139

136:
  %137 = add nuw nsw i64 %125, 1
  %138 = icmp eq i64 %137, 32
  br i1 %138, label %163, label %124

139:
  %140 = phi i64 [ 0, %126 ], [ %156, %155 ]
  %141 = trunc nuw i64 %140 to i32
  %142 = add i32 %128, %141
  %143 = shl i32 %142, 2
  %144 = zext i32 %143 to i64
  %145 = getelementptr inbounds nuw i8, ptr %7, i64 %144
  %146 = getelementptr inbounds nuw [64 x i32], ptr %129, i64 %140
  %147 = load i32, ptr %146, align 4
  store i32 %147, ptr %145, align 4
  %148 = getelementptr inbounds nuw i8, ptr %119, i64 %144
  %149 = getelementptr inbounds nuw [64 x i32], ptr %130, i64 %140
  %150 = load i32, ptr %149, align 4
  store i32 %150, ptr %148, align 4
  br i1 %135, label %155, label %151

151:
  %152 = getelementptr inbounds nuw [64 x i32], ptr %131, i64 %140
  %153 = load i32, ptr %152, align 4
  %154 = getelementptr inbounds nuw i32, ptr %122, i64 %144
  br label %158

155:
  %156 = add nuw nsw i64 %140, 1
  %157 = icmp eq i64 %156, %123
  br i1 %157, label %136, label %139

158:
  %159 = phi i64 [ 0, %151 ], [ %161, %158 ]
  %160 = getelementptr inbounds nuw i32, ptr %154, i64 %159
  store i32 %153, ptr %160, align 4
  %161 = add nuw nsw i64 %159, 1
  %162 = icmp eq i64 %161, 4
  br i1 %162, label %155, label %158

163:
  %164 = load ptr, ptr %11, align 8
  %165 = getelementptr inbounds nuw i8, ptr %164, i64 40
  %166 = load ptr, ptr %165, align 8
  %167 = icmp eq ptr %166, null
  br i1 %167, label %185, label %168

168:
  %169 = and i32 %2, 65535
  %170 = getelementptr inbounds nuw i8, ptr %17, i64 16
  %171 = load i32, ptr %170, align 4
  %172 = add i32 %171, %169
  %173 = zext i32 %172 to i64
  %174 = load i32, ptr %84, align 8
  %175 = shl i32 %174, 5
  %176 = and i32 %175, 96
  %177 = load i32, ptr %27, align 4
  %178 = add i32 %177, %102
  %179 = add i32 %178, %176
  %180 = zext i32 %179 to i64
  %181 = shl nuw nsw i64 %173, 9
  %182 = shl nuw nsw i64 %180, 2
  %183 = add nuw nsw i64 %182, %181
  %184 = tail call i32 @lm_origin(ptr noundef nonnull %0, i32 noundef 4, i32 noundef %1, i32 noundef %116, i32 noundef 5, i64 noundef %183)
  br label %185

185:
  %186 = phi i32 [ %184, %168 ], [ 0, %163 ]
  call void @follow(ptr noundef nonnull %0, ptr noundef nonnull %9, i32 noundef %24, ptr noundef nonnull %7, ptr noundef nonnull %8, i32 noundef 1, i32 noundef %186)
  %187 = load ptr, ptr %11, align 8
  %188 = getelementptr inbounds nuw i8, ptr %187, i64 128
  %189 = load i64, ptr %188, align 8
  %190 = icmp eq i64 %189, 0
  %191 = shl i32 %4, 7
  %192 = icmp ne i32 %191, 0
  %193 = and i1 %190, %192
  br i1 %193, label %194, label %196

194:
  %195 = zext i32 %191 to i64
  br label %204

196:
  %197 = phi i8 [ 0, %185 ], [ %209, %204 ]
  %198 = shl i32 %24, 2
  %199 = icmp ne i32 %198, 0
  %200 = select i1 %190, i1 %199, i1 false
  br i1 %200, label %201, label %212

201:
  %202 = getelementptr inbounds nuw i8, ptr %8, i64 32768
  %203 = zext i32 %198 to i64
  br label %215

204:
  %205 = phi i64 [ 0, %194 ], [ %210, %204 ]
  %206 = phi i8 [ 0, %194 ], [ %209, %204 ]
  %207 = getelementptr inbounds nuw i8, ptr %119, i64 %205
  %208 = load i8, ptr %207, align 1
  %209 = or i8 %208, %206
  %210 = add nuw nsw i64 %205, 1
  %211 = icmp samesign ult i64 %210, %195
  br i1 %211, label %204, label %196

212:
  %213 = phi i8 [ %197, %196 ], [ %220, %215 ]
  %214 = icmp eq i8 %213, 0
  br i1 %214, label %225, label %223

215:
  %216 = phi i64 [ 0, %201 ], [ %221, %215 ]
  %217 = phi i8 [ %197, %201 ], [ %220, %215 ]
  %218 = getelementptr inbounds nuw i8, ptr %202, i64 %216
  %219 = load i8, ptr %218, align 1
  %220 = or i8 %219, %217
  %221 = add nuw nsw i64 %216, 1
  %222 = icmp samesign ult i64 %221, %203
  br i1 %222, label %215, label %212

223:
  %224 = getelementptr inbounds nuw i8, ptr %0, i64 184
  store i32 2, ptr %224, align 8
  br label %232

225:
  %226 = load ptr, ptr %35, align 8
  %227 = and i32 %2, 65535
  %228 = load i32, ptr %84, align 8
  %229 = shl i32 %228, 5
  %230 = and i32 %229, 96
  %231 = call i32 @access_runs(ptr noundef nonnull %10, ptr noundef %226, ptr noundef nonnull %9, i32 noundef %102, i32 noundef %227, i32 noundef 32, i32 noundef %230, ptr noundef nonnull %8)
  br label %232

232:
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  call void @llvm.lifetime.end.p0(ptr nonnull %7)
  ret void
}

define void @lm_ptx_conflict(ptr noundef readonly captures(none) %0, ptr noundef captures(none) initializes((0, 4), (48, 64)) %1, i64 noundef %2) local_unnamed_addr {
  %4 = load ptr, ptr %0, align 8
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load i64, ptr %6, align 8
  %8 = lshr i64 %7, 58
  %9 = trunc nuw nsw i64 %8 to i32
  %10 = and i32 %9, 7
  %11 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %12 = load i32, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %14 = load i32, ptr %13, align 4
  %15 = and i32 %14, 512
  store i32 10, ptr %1, align 8
  %16 = lshr i64 %2, 58
  %17 = trunc nuw nsw i64 %16 to i32
  %18 = and i32 %17, 7
  %19 = icmp samesign ult i32 %18, 2
  br i1 %19, label %20, label %50

20:
  store i32 11, ptr %1, align 8
  %21 = lshr i64 %2, 28
  %22 = trunc i64 %21 to i32
  %23 = and i32 %22, 511
  %24 = and i64 %21, 511
  %25 = getelementptr inbounds nuw i8, ptr %1, i64 48
  store i64 %24, ptr %25, align 8
  %26 = and i64 %2, 268435455
  %27 = load ptr, ptr %5, align 8
  %28 = getelementptr inbounds nuw i8, ptr %5, i64 28
  %29 = load i32, ptr %28, align 4
  %30 = getelementptr inbounds nuw i8, ptr %27, i64 120
  %31 = load ptr, ptr %30, align 8
  %32 = zext i32 %29 to i64
  %33 = getelementptr inbounds nuw i8, ptr %27, i64 112
  %34 = load i64, ptr %33, align 8
  %35 = getelementptr inbounds nuw i8, ptr %27, i64 8
  %36 = load i32, ptr %35, align 8
  %37 = zext i32 %36 to i64
  %38 = mul i64 %34, %37
  %39 = add i64 %38, 3
  %40 = mul i64 %39, %32
  %41 = getelementptr inbounds nuw i64, ptr %31, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 24
  %43 = getelementptr inbounds nuw i64, ptr %42, i64 %37
  %44 = getelementptr inbounds nuw i64, ptr %43, i64 %24
  %45 = load i64, ptr %44, align 8
  %46 = icmp ule i64 %26, %45
  %47 = icmp eq i32 %23, %29
  %48 = or i1 %47, %46
  %49 = zext i1 %48 to i64
  br label %135

50:
  %51 = getelementptr inbounds nuw i8, ptr %1, i64 40
  store i64 4, ptr %51, align 8
  %52 = icmp samesign ult i32 %10, 2
  br i1 %52, label %115, label %53

53:
  %54 = load ptr, ptr %5, align 8
  %55 = icmp eq i32 %18, 4
  %56 = icmp eq i32 %10, 4
  %57 = and i1 %55, %56
  %58 = icmp eq i32 %18, 2
  %59 = icmp eq i32 %18, 3
  %60 = select i1 %59, i32 1, i32 2
  %61 = select i1 %58, i32 0, i32 %60
  %62 = select i1 %57, i32 3, i32 %61
  %63 = lshr i64 %2, 28
  %64 = and i64 %63, 511
  %65 = and i64 %2, 268435455
  %66 = getelementptr inbounds nuw i8, ptr %5, i64 28
  %67 = load i32, ptr %66, align 4
  %68 = getelementptr inbounds nuw i8, ptr %54, i64 128
  %69 = load ptr, ptr %68, align 8
  %70 = zext i32 %67 to i64
  %71 = shl nuw nsw i64 %70, 3
  %72 = or disjoint i64 %71, 4
  %73 = getelementptr inbounds nuw i8, ptr %54, i64 8
  %74 = load i32, ptr %73, align 8
  %75 = zext i32 %74 to i64
  %76 = mul i64 %72, %75
  %77 = getelementptr inbounds nuw i64, ptr %69, i64 %76
  %78 = zext nneg i32 %62 to i64
  %79 = mul nuw nsw i64 %75, %78
  %80 = getelementptr inbounds nuw i64, ptr %77, i64 %79
  %81 = getelementptr inbounds nuw i64, ptr %80, i64 %64
  %82 = load i64, ptr %81, align 8
  %83 = icmp ugt i64 %65, %82
  br i1 %83, label %84, label %115

84:
  %85 = icmp eq i32 %62, 2
  br i1 %85, label %115, label %86

86:
  %87 = add nuw nsw i32 %62, 7
  %88 = getelementptr inbounds nuw i8, ptr %54, i64 120
  %89 = load ptr, ptr %88, align 8
  %90 = getelementptr inbounds nuw i8, ptr %54, i64 112
  %91 = load i64, ptr %90, align 8
  %92 = mul i64 %91, %75
  %93 = add i64 %92, 3
  %94 = mul i64 %93, %64
  %95 = getelementptr inbounds nuw i64, ptr %89, i64 %94
  %96 = getelementptr inbounds nuw i8, ptr %95, i64 24
  %97 = zext nneg i32 %87 to i64
  %98 = mul nuw nsw i64 %75, %97
  %99 = getelementptr inbounds nuw i64, ptr %96, i64 %98
  %100 = getelementptr inbounds nuw i64, ptr %99, i64 %64
  %101 = load i64, ptr %100, align 8
  %102 = icmp ugt i64 %65, %101
  br i1 %102, label %103, label %106

103:
  %104 = icmp ne i32 %62, 0
  %105 = zext i1 %104 to i32
  br label %115

106:
  %107 = shl nuw nsw i64 %64, 3
  %108 = mul nuw nsw i64 %107, %75
  %109 = getelementptr inbounds nuw i64, ptr %69, i64 %108
  %110 = getelementptr inbounds nuw i64, ptr %109, i64 %79
  %111 = getelementptr inbounds nuw i64, ptr %110, i64 %64
  %112 = load i64, ptr %111, align 8
  %113 = icmp ugt i64 %65, %112
  %114 = select i1 %113, i32 3, i32 4
  br label %115

115:
  %116 = phi i32 [ 2, %50 ], [ %114, %106 ], [ 5, %53 ], [ %105, %103 ], [ 2, %84 ]
  %117 = shl i32 %12, 7
  %118 = and i32 %117, 256
  %119 = or disjoint i32 %15, %118
  %120 = or disjoint i32 %119, %116
  store i32 %120, ptr %13, align 4
  %121 = getelementptr inbounds nuw i8, ptr %1, i64 96
  %122 = load i32, ptr %121, align 8
  %123 = icmp eq i32 %122, 0
  br i1 %123, label %126, label %124

124:
  %125 = add i32 %122, -1
  br label %129

126:
  %127 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %128 = load i32, ptr %127, align 4
  br label %129

129:
  %130 = phi i32 [ %125, %124 ], [ %128, %126 ]
  %131 = zext i32 %130 to i64
  %132 = getelementptr inbounds nuw i8, ptr %1, i64 48
  store i64 %131, ptr %132, align 8
  %133 = lshr i64 %2, 28
  %134 = and i64 %133, 511
  br label %135

135:
  %136 = phi i64 [ %134, %129 ], [ %49, %20 ]
  %137 = getelementptr inbounds nuw i8, ptr %1, i64 56
  store i64 %136, ptr %137, align 8
  ret void
}

define void @tensor_over(ptr noundef %0, ptr noundef readonly captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = alloca i64, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %6)
  %7 = zext i32 %3 to i64
  %8 = shl nuw nsw i64 %7, 9
  %9 = zext i32 %4 to i64
  %10 = add nuw nsw i64 %9, %7
  %11 = shl nuw nsw i64 %10, 9
  %12 = shl nuw nsw i64 %7, 2
  %13 = add nsw i64 %11, -1
  %14 = lshr i64 %13, 7
  %15 = icmp samesign ugt i64 %12, %14
  br i1 %15, label %98, label %16

16:
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 912
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 24
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 56
  %22 = getelementptr inbounds nuw i8, ptr %20, i64 80
  %23 = getelementptr inbounds nuw i8, ptr %20, i64 48
  br label %24

24:
  %25 = phi i64 [ %12, %16 ], [ %40, %39 ]
  %26 = load ptr, ptr %21, align 8
  %27 = lshr i64 %25, 5
  %28 = getelementptr inbounds nuw i32, ptr %26, i64 %27
  %29 = load i32, ptr %28, align 4
  %30 = lshr i32 %29, 4
  %31 = load i32, ptr %22, align 8
  %32 = icmp eq i32 %30, %31
  br i1 %32, label %33, label %39

33:
  %34 = shl nuw i64 %25, 7
  %35 = load ptr, ptr %23, align 8
  %36 = getelementptr inbounds nuw %struct.Line, ptr %35, i64 %25
  %37 = call fastcc i64 @find_in(ptr noundef %36, i64 noundef %34, i64 noundef 128, i64 noundef %8, i64 noundef %11, ptr noundef nonnull @not_over, ptr noundef %0, ptr noundef nonnull %6)
  %38 = icmp eq i64 %37, 0
  br i1 %38, label %39, label %42

39:
  %40 = add nuw nsw i64 %25, 1
  %41 = icmp eq i64 %25, %14
  br i1 %41, label %98, label %24

42:
  %43 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %44 = load ptr, ptr %43, align 8
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 128
  %46 = load i64, ptr %45, align 8
  %47 = icmp eq i64 %46, 0
  br i1 %47, label %48, label %50

48:
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 184
  store i32 2, ptr %49, align 8
  br label %98

50:
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %52 = load i64, ptr %51, align 8
  %53 = tail call ptr @lm_hazard(ptr noundef nonnull %0, i32 noundef 10, i32 noundef %2, i64 noundef %52)
  %54 = lshr i64 %37, 58
  %55 = trunc nuw nsw i64 %54 to i32
  %56 = and i32 %55, 7
  %57 = tail call i32 @logged(ptr noundef nonnull %0, i64 noundef %37)
  %58 = getelementptr inbounds nuw i8, ptr %53, i64 84
  store i32 5, ptr %58, align 4
  %59 = load i64, ptr %6, align 8
  %60 = getelementptr inbounds nuw i8, ptr %53, i64 32
  store i64 %59, ptr %60, align 8
  %61 = icmp eq i32 %56, 2
  %62 = select i1 %61, i32 1024, i32 1536
  %63 = getelementptr inbounds nuw i8, ptr %53, i64 12
  %64 = lshr i64 %37, 28
  %65 = and i64 %64, 511
  %66 = and i64 %54, 7
  %67 = add nuw nsw i64 %66, 2
  %68 = and i64 %37, 268435455
  %69 = load ptr, ptr %0, align 8
  %70 = getelementptr inbounds nuw i8, ptr %69, i64 120
  %71 = load ptr, ptr %70, align 8
  %72 = getelementptr inbounds nuw i8, ptr %69, i64 112
  %73 = load i64, ptr %72, align 8
  %74 = getelementptr inbounds nuw i8, ptr %69, i64 8
  %75 = load i32, ptr %74, align 8
  %76 = zext i32 %75 to i64
  %77 = mul i64 %73, %76
  %78 = add i64 %77, 3
  %79 = mul i64 %78, %65
  %80 = getelementptr inbounds nuw i64, ptr %71, i64 %79
  %81 = getelementptr inbounds nuw i8, ptr %80, i64 24
  %82 = mul nuw nsw i64 %67, %76
  %83 = getelementptr inbounds nuw i64, ptr %81, i64 %82
  %84 = getelementptr inbounds nuw i64, ptr %83, i64 %65
  %85 = load i64, ptr %84, align 8
  %86 = icmp ugt i64 %68, %85
  %87 = icmp eq i32 %56, 3
  %88 = select i1 %87, i32 1, i32 2
  %89 = select i1 %61, i32 0, i32 %88
  %90 = select i1 %86, i32 %89, i32 6
  %91 = or disjoint i32 %90, %62
  store i32 %91, ptr %63, align 4
  %92 = icmp eq i32 %57, 0
  %93 = add i32 %57, -1
  %94 = select i1 %92, i32 %2, i32 %93
  %95 = zext i32 %94 to i64
  %96 = getelementptr inbounds nuw i8, ptr %53, i64 48
  store i64 %95, ptr %96, align 8
  %97 = getelementptr inbounds nuw i8, ptr %53, i64 56
  store i64 %65, ptr %97, align 8
  br label %98

98:
  call void @llvm.lifetime.end.p0(ptr nonnull %6)
  ret void
}

define internal range(i32 0, 2) i32 @not_over(ptr noundef readonly captures(none) %0, i64 noundef %1) {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %4 = load i32, ptr %3, align 4
  %5 = lshr i64 %1, 58
  %6 = and i64 %5, 7
  %7 = add nuw nsw i64 %6, 2
  %8 = and i64 %1, 268435455
  %9 = load ptr, ptr %0, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 120
  %11 = load ptr, ptr %10, align 8
  %12 = zext i32 %4 to i64
  %13 = getelementptr inbounds nuw i8, ptr %9, i64 112
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %16 = load i32, ptr %15, align 8
  %17 = zext i32 %16 to i64
  %18 = mul i64 %14, %17
  %19 = add i64 %18, 3
  %20 = mul i64 %19, %12
  %21 = getelementptr inbounds nuw i64, ptr %11, i64 %20
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 24
  %23 = mul nuw nsw i64 %7, %17
  %24 = getelementptr inbounds nuw i64, ptr %22, i64 %23
  %25 = lshr i64 %1, 28
  %26 = and i64 %25, 511
  %27 = getelementptr inbounds nuw i64, ptr %24, i64 %26
  %28 = load i64, ptr %27, align 8
  %29 = icmp ugt i64 %8, %28
  %30 = zext i1 %29 to i32
  ret i32 %30
}

define void @lm_tensor_wait(ptr noundef readonly captures(none) %0, i32 noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 4088
  %4 = zext i32 %1 to i64
  %5 = getelementptr inbounds nuw i32, ptr %3, i64 %4
  %6 = load i32, ptr %5, align 4
  %7 = zext i32 %6 to i64
  %8 = load ptr, ptr %0, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %10 = load i32, ptr %9, align 4
  %11 = add i32 %1, 7
  %12 = getelementptr inbounds nuw i8, ptr %8, i64 120
  %13 = load ptr, ptr %12, align 8
  %14 = zext i32 %10 to i64
  %15 = getelementptr inbounds nuw i8, ptr %8, i64 112
  %16 = load i64, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %18 = load i32, ptr %17, align 8
  %19 = zext i32 %18 to i64
  %20 = mul i64 %16, %19
  %21 = add i64 %20, 3
  %22 = mul i64 %21, %14
  %23 = getelementptr inbounds nuw i64, ptr %13, i64 %22
  %24 = getelementptr inbounds nuw i8, ptr %23, i64 24
  %25 = zext i32 %11 to i64
  %26 = mul nuw i64 %19, %25
  %27 = getelementptr inbounds nuw i64, ptr %24, i64 %26
  %28 = getelementptr inbounds nuw i64, ptr %27, i64 %14
  store i64 %7, ptr %28, align 8
  %29 = add i32 %1, 4
  %30 = load i64, ptr %15, align 8
  %31 = mul i64 %30, %19
  %32 = add i64 %31, 3
  %33 = mul i64 %32, %14
  %34 = getelementptr inbounds nuw i64, ptr %13, i64 %33
  %35 = getelementptr inbounds nuw i8, ptr %34, i64 24
  %36 = zext i32 %29 to i64
  %37 = mul nuw i64 %19, %36
  %38 = getelementptr inbounds nuw i64, ptr %35, i64 %37
  %39 = getelementptr inbounds nuw i64, ptr %38, i64 %14
  store i64 %7, ptr %39, align 8
  ret void
}

define void @lm_tensor_flag(ptr noundef readonly captures(none) %0, i64 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 16
  %5 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %4)
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 128
  %9 = load ptr, ptr %8, align 8
  store ptr %9, ptr %4, align 16
  %10 = load ptr, ptr %0, align 8
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 192
  %12 = load ptr, ptr %11, align 8
  store ptr %12, ptr %5, align 8
  %13 = icmp eq i64 %1, 0
  br i1 %13, label %21, label %14

14:
  %15 = icmp eq i32 %2, 0
  %16 = getelementptr inbounds nuw i8, ptr %10, i64 128
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %18 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %19 = load ptr, ptr %16, align 8
  %20 = icmp eq ptr %19, null
  br label %22

21:
  call void @llvm.lifetime.end.p0(ptr nonnull %4)
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  ret void

22:
  %23 = phi i1 [ true, %14 ], [ false, %78 ]
  %24 = phi ptr [ %4, %14 ], [ %5, %78 ]
  br i1 %15, label %52, label %25

25:
  br i1 %20, label %78, label %26

26:
  %27 = load ptr, ptr %24, align 8
  %28 = load i32, ptr %17, align 4
  %29 = zext i32 %28 to i64
  %30 = shl nuw nsw i64 %29, 3
  %31 = or disjoint i64 %30, 4
  %32 = load i32, ptr %18, align 8
  %33 = zext i32 %32 to i64
  %34 = mul i64 %31, %33
  %35 = getelementptr inbounds nuw i64, ptr %19, i64 %34
  %36 = getelementptr inbounds nuw i8, ptr %27, i64 24
  %37 = mul nuw nsw i64 %33, 56
  %38 = getelementptr inbounds nuw i8, ptr %36, i64 %37
  %39 = shl nuw nsw i64 %33, 2
  %40 = icmp eq i32 %32, 0
  br i1 %40, label %78, label %41

41:
  %42 = phi i64 [ %50, %49 ], [ 0, %26 ]
  %43 = getelementptr inbounds nuw i64, ptr %38, i64 %42
  %44 = load i64, ptr %43, align 8
  %45 = getelementptr inbounds nuw i64, ptr %35, i64 %42
  %46 = load i64, ptr %45, align 8
  %47 = icmp ugt i64 %44, %46
  br i1 %47, label %48, label %49

48:
  store i64 %44, ptr %45, align 8
  br label %49

49:
  %50 = add nuw nsw i64 %42, 1
  %51 = icmp eq i64 %50, %39
  br i1 %51, label %78, label %41

52:
  br i1 %20, label %78, label %53

53:
  %54 = load ptr, ptr %24, align 8
  %55 = getelementptr inbounds nuw i8, ptr %54, i64 24
  %56 = load i32, ptr %18, align 8
  %57 = zext i32 %56 to i64
  %58 = mul nuw nsw i64 %57, 56
  %59 = getelementptr inbounds nuw i8, ptr %55, i64 %58
  %60 = load i32, ptr %17, align 4
  %61 = zext i32 %60 to i64
  %62 = shl nuw nsw i64 %57, 3
  %63 = mul i64 %62, %61
  %64 = getelementptr inbounds nuw i64, ptr %19, i64 %63
  %65 = shl nuw nsw i64 %57, 2
  %66 = icmp eq i32 %56, 0
  br i1 %66, label %78, label %67

67:
  %68 = phi i64 [ %76, %75 ], [ 0, %53 ]
  %69 = getelementptr inbounds nuw i64, ptr %64, i64 %68
  %70 = load i64, ptr %69, align 8
  %71 = getelementptr inbounds nuw i64, ptr %59, i64 %68
  %72 = load i64, ptr %71, align 8
  %73 = icmp ugt i64 %70, %72
  br i1 %73, label %74, label %75

74:
  store i64 %70, ptr %71, align 8
  br label %75

75:
  %76 = add nuw nsw i64 %68, 1
  %77 = icmp eq i64 %76, %65
  br i1 %77, label %78, label %67

78:
  br i1 %23, label %22, label %21
}

define internal fastcc zeroext i8 @undefined_bits(ptr noundef readonly captures(none) %0, i64 noundef %1) unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %4 = load ptr, ptr %3, align 8
  %5 = lshr i64 %1, 12
  %6 = getelementptr inbounds nuw i32, ptr %4, i64 %5
  %7 = load i32, ptr %6, align 4
  %8 = and i32 %7, 2
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %28

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %12 = load ptr, ptr %11, align 8
  %13 = lshr i64 %1, 6
  %14 = getelementptr inbounds nuw i64, ptr %12, i64 %13
  %15 = load i64, ptr %14, align 8
  %16 = and i64 %1, 63
  %17 = shl nuw i64 1, %16
  %18 = and i64 %15, %17
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %20, label %28

20:
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %28, label %24

24:
  %25 = getelementptr inbounds nuw i8, ptr %22, i64 %1
  %26 = load i8, ptr %25, align 1
  %27 = xor i8 %26, -1
  br label %28

28:
  %29 = phi i8 [ 0, %2 ], [ 0, %10 ], [ %27, %24 ], [ -1, %20 ]
  ret i8 %29
}

define internal fastcc void @read_only(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1) unnamed_addr {
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load i32, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %7 = load i32, ptr %6, align 8
  %8 = zext nneg i32 %7 to i64
  %9 = shl nuw i64 1, %8
  %10 = tail call ptr @lm_hazard(ptr noundef %3, i32 noundef 7, i32 noundef %5, i64 noundef %9)
  %11 = load i64, ptr %1, align 8
  %12 = getelementptr inbounds nuw i8, ptr %10, i64 32
  store i64 %11, ptr %12, align 8
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %14 = load i32, ptr %13, align 8
  %15 = zext i32 %14 to i64
  %16 = getelementptr inbounds nuw i8, ptr %10, i64 40
  store i64 %15, ptr %16, align 8
  ret void
}

define internal fastcc void @race_stored(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1) unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, null
  br i1 %6, label %16, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %10

10:
  %11 = phi ptr [ %5, %7 ], [ %30, %29 ]
  %12 = phi i64 [ 0, %7 ], [ %31, %29 ]
  %13 = load i32, ptr %3, align 8
  %14 = zext i32 %13 to i64
  %15 = icmp samesign ult i64 %12, %14
  br i1 %15, label %17, label %16

16:
  ret void

17:
  %18 = load ptr, ptr %8, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 %12
  %20 = load i8, ptr %19, align 1
  %21 = icmp eq i8 %20, 0
  br i1 %21, label %29, label %22

22:
  %23 = load ptr, ptr %0, align 8
  %24 = load i32, ptr %9, align 8
  %25 = getelementptr inbounds nuw i32, ptr %11, i64 %12
  %26 = load i32, ptr %25, align 4
  %27 = tail call i32 @race_decides(ptr noundef %23, i32 noundef %24, i32 poison, i32 noundef %26, i32 noundef 7)
  %28 = load ptr, ptr %4, align 8
  br label %29

29:
  %30 = phi ptr [ %11, %17 ], [ %28, %22 ]
  %31 = add nuw nsw i64 %12, 1
  %32 = icmp eq ptr %30, null
  br i1 %32, label %16, label %10
}

define internal fastcc void @touched_object(ptr noundef readonly captures(none) %0, i32 noundef %1, ptr noundef nonnull readonly captures(none) %2, i64 noundef %3) unnamed_addr {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load i32, ptr %6, align 8
  %8 = zext nneg i32 %1 to i64
  %9 = shl nuw i64 1, %8
  %10 = tail call ptr @lm_hazard(ptr noundef %5, i32 noundef 6, i32 noundef %7, i64 noundef %9)
  %11 = load ptr, ptr %0, align 8
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %13, i64 536
  %15 = load i64, ptr %14, align 8
  %16 = trunc i64 %15 to i32
  %17 = getelementptr inbounds nuw i8, ptr %10, i64 12
  store i32 %16, ptr %17, align 4
  %18 = load i64, ptr %2, align 8
  %19 = add i64 %18, %3
  %20 = getelementptr inbounds nuw i8, ptr %10, i64 48
  store i64 %19, ptr %20, align 8
  ret void
}

define internal fastcc range(i32 0, 2) i32 @same_bytes(ptr noundef readonly captures(none) %0, ptr noundef nonnull readonly captures(none) %1, i64 noundef %2) unnamed_addr {
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 %2
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load i32, ptr %9, align 8
  %11 = zext i32 %10 to i64
  %12 = and i64 %11, 4294967232
  br label %13

13:
  %14 = phi i64 [ 0, %3 ], [ %15, %20 ]
  %15 = add nuw nsw i64 %14, 64
  %16 = icmp samesign ugt i64 %15, %11
  br i1 %16, label %17, label %20

17:
  %18 = or disjoint i64 %12, 8
  %19 = icmp samesign ugt i64 %18, %11
  br i1 %19, label %42, label %46

20:
  %21 = getelementptr inbounds nuw i8, ptr %6, i64 %14
  %22 = load <8 x i64>, ptr %21, align 1
  %23 = getelementptr inbounds nuw i8, ptr %8, i64 %14
  %24 = load <8 x i64>, ptr %23, align 1
  %25 = xor <8 x i64> %24, %22
  %26 = extractelement <8 x i64> %25, i64 0
  %27 = extractelement <8 x i64> %25, i64 1
  %28 = or i64 %26, %27
  %29 = extractelement <8 x i64> %25, i64 2
  %30 = or i64 %28, %29
  %31 = extractelement <8 x i64> %25, i64 3
  %32 = or i64 %30, %31
  %33 = extractelement <8 x i64> %25, i64 4
  %34 = or i64 %32, %33
  %35 = extractelement <8 x i64> %25, i64 5
  %36 = or i64 %34, %35
  %37 = extractelement <8 x i64> %25, i64 6
  %38 = or i64 %36, %37
  %39 = extractelement <8 x i64> %25, i64 7
  %40 = or i64 %38, %39
  %41 = icmp eq i64 %40, 0
  br i1 %41, label %13, label %118

42:
  %43 = phi i64 [ 0, %17 ], [ %55, %46 ]
  %44 = phi i64 [ %12, %17 ], [ %47, %46 ]
  %45 = icmp ult i64 %44, %11
  br i1 %45, label %58, label %70

46:
  %47 = phi i64 [ %56, %46 ], [ %18, %17 ]
  %48 = phi i64 [ %47, %46 ], [ %12, %17 ]
  %49 = phi i64 [ %55, %46 ], [ 0, %17 ]
  %50 = getelementptr inbounds nuw i8, ptr %6, i64 %48
  %51 = load i64, ptr %50, align 1
  %52 = getelementptr inbounds nuw i8, ptr %8, i64 %48
  %53 = load i64, ptr %52, align 1
  %54 = xor i64 %53, %51
  %55 = or i64 %54, %49
  %56 = add nuw nsw i64 %47, 8
  %57 = icmp samesign ugt i64 %56, %11
  br i1 %57, label %42, label %46

58:
  %59 = phi i64 [ %68, %58 ], [ %44, %42 ]
  %60 = phi i64 [ %67, %58 ], [ %43, %42 ]
  %61 = getelementptr inbounds nuw i8, ptr %6, i64 %59
  %62 = load i8, ptr %61, align 1
  %63 = getelementptr inbounds nuw i8, ptr %8, i64 %59
  %64 = load i8, ptr %63, align 1
  %65 = xor i8 %64, %62
  %66 = zext i8 %65 to i64
  %67 = or i64 %60, %66
  %68 = add nuw nsw i64 %59, 1
  %69 = icmp eq i64 %68, %11
  br i1 %69, label %70, label %58

70:
  %71 = phi i64 [ %43, %42 ], [ %67, %58 ]
  %72 = icmp eq i64 %71, 0
  br i1 %72, label %73, label %118

73:
  %74 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %75 = load ptr, ptr %74, align 8
  %76 = icmp eq ptr %75, null
  br i1 %76, label %84, label %77

77:
  %78 = icmp eq i32 %10, 0
  br i1 %78, label %118, label %79

79:
  %80 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %81 = load ptr, ptr %80, align 8
  %82 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %83 = getelementptr inbounds nuw i8, ptr %1, i64 32
  br label %89

84:
  %85 = tail call fastcc i32 @defined_at(ptr noundef nonnull %1, i64 noundef %2, i64 noundef %11)
  br label %118

86:
  %87 = add nuw nsw i64 %90, 1
  %88 = icmp eq i64 %87, %11
  br i1 %88, label %118, label %89

89:
  %90 = phi i64 [ 0, %79 ], [ %87, %86 ]
  %91 = getelementptr inbounds nuw i8, ptr %75, i64 %90
  %92 = load i8, ptr %91, align 1
  %93 = add i64 %2, %90
  %94 = lshr i64 %93, 12
  %95 = getelementptr inbounds nuw i32, ptr %81, i64 %94
  %96 = load i32, ptr %95, align 4
  %97 = and i32 %96, 2
  %98 = icmp eq i32 %97, 0
  br i1 %98, label %99, label %115

99:
  %100 = load ptr, ptr %82, align 8
  %101 = lshr i64 %93, 6
  %102 = getelementptr inbounds nuw i64, ptr %100, i64 %101
  %103 = load i64, ptr %102, align 8
  %104 = and i64 %93, 63
  %105 = shl nuw i64 1, %104
  %106 = and i64 %103, %105
  %107 = icmp eq i64 %106, 0
  br i1 %107, label %108, label %115

108:
  %109 = load ptr, ptr %83, align 8
  %110 = icmp eq ptr %109, null
  br i1 %110, label %115, label %111

111:
  %112 = getelementptr inbounds nuw i8, ptr %109, i64 %93
  %113 = load i8, ptr %112, align 1
  %114 = xor i8 %113, -1
  br label %115

115:
  %116 = phi i8 [ 0, %89 ], [ 0, %99 ], [ %114, %111 ], [ -1, %108 ]
  %117 = icmp eq i8 %92, %116
  br i1 %117, label %86, label %118

118:
  %119 = phi i32 [ 0, %70 ], [ 1, %77 ], [ %85, %84 ], [ 0, %115 ], [ 1, %86 ], [ 0, %20 ]
  ret i32 %119
}

declare <16 x i16> @llvm.smax.v16i16(<16 x i16>, <16 x i16>)

declare <16 x i32> @llvm.smax.v16i32(<16 x i32>, <16 x i32>)

declare i32 @llvm.vector.reduce.or.v16i32(<16 x i32>)

declare <16 x i32> @llvm.smin.v16i32(<16 x i32>, <16 x i32>)

declare <16 x double> @llvm.trunc.v16f64(<16 x double>)

declare <16 x double> @llvm.fmuladd.v16f64(<16 x double>, <16 x double>, <16 x double>)

declare i64 @llvm.cttz.i64(i64, i1 immarg)

declare double @llvm.exp2.f64(double)

declare double @llvm.log2.f64(double)

declare double @llvm.sqrt.f64(double)

declare double @llvm.floor.f64(double)

declare double @llvm.sin.f64(double)

declare double @llvm.cos.f64(double)

declare double @llvm.tanh.f64(double)

declare double @ldexp(double noundef, i32 noundef) local_unnamed_addr

declare float @ldexpf(float noundef, i32 noundef) local_unnamed_addr

define internal fastcc void @shift_right(ptr dead_on_unwind noalias nonnull writable writeonly sret(%struct.u256) align 8 captures(none) initializes((0, 32)) %0, ptr noundef readonly byval(%struct.u256) align 8 captures(none) %1, i32 noundef %2, ptr noundef nonnull captures(none) %3) unnamed_addr {
  %5 = icmp ugt i32 %2, 255
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %0, i8 0, i64 32, i1 false)
  br i1 %5, label %14, label %6

6:
  %7 = lshr i32 %2, 6
  %8 = and i32 %2, 63
  %9 = zext nneg i32 %8 to i64
  %10 = icmp ne i32 %8, 0
  %11 = sub nuw nsw i32 64, %8
  %12 = zext nneg i32 %11 to i64
  %13 = zext nneg i32 %7 to i64
  br label %33

14:
  %15 = load i64, ptr %1, align 8
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %17 = load i64, ptr %16, align 8
  %18 = or i64 %17, %15
  %19 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %20 = load i64, ptr %19, align 8
  %21 = or i64 %18, %20
  %22 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %23 = load i64, ptr %22, align 8
  %24 = or i64 %21, %23
  %25 = icmp ne i64 %24, 0
  %26 = zext i1 %25 to i32
  %27 = load i32, ptr %3, align 4
  %28 = or i32 %27, %26
  br label %67

29:
  %30 = icmp eq i32 %2, 0
  br i1 %30, label %69, label %31

31:
  %32 = load i32, ptr %3, align 4
  br label %52

33:
  %34 = phi i64 [ 0, %6 ], [ %50, %49 ]
  %35 = add nuw nsw i64 %34, %13
  %36 = icmp samesign ult i64 %35, 4
  br i1 %36, label %37, label %49

37:
  %38 = getelementptr inbounds nuw i64, ptr %1, i64 %35
  %39 = load i64, ptr %38, align 8
  %40 = lshr i64 %39, %9
  %41 = getelementptr inbounds nuw i64, ptr %0, i64 %34
  store i64 %40, ptr %41, align 8
  %42 = icmp ne i64 %35, 3
  %43 = and i1 %10, %42
  br i1 %43, label %44, label %49

44:
  %45 = getelementptr inbounds nuw i8, ptr %38, i64 8
  %46 = load i64, ptr %45, align 8
  %47 = shl i64 %46, %12
  %48 = or i64 %47, %40
  store i64 %48, ptr %41, align 8
  br label %49

49:
  %50 = add nuw nsw i64 %34, 1
  %51 = icmp eq i64 %50, 4
  br i1 %51, label %29, label %33

52:
  %53 = phi i32 [ %32, %31 ], [ %64, %52 ]
  %54 = phi i32 [ 0, %31 ], [ %65, %52 ]
  %55 = lshr i32 %54, 6
  %56 = zext nneg i32 %55 to i64
  %57 = getelementptr inbounds nuw i64, ptr %1, i64 %56
  %58 = load i64, ptr %57, align 8
  %59 = and i32 %54, 63
  %60 = zext nneg i32 %59 to i64
  %61 = lshr i64 %58, %60
  %62 = trunc i64 %61 to i32
  %63 = and i32 %62, 1
  %64 = or i32 %63, %53
  %65 = add nuw nsw i32 %54, 1
  %66 = icmp eq i32 %65, %2
  br i1 %66, label %67, label %52

67:
  %68 = phi i32 [ %28, %14 ], [ %64, %52 ]
  store i32 %68, ptr %3, align 4
  br label %69

69:
  ret void
}

declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr

declare i32 @llvm.vector.reduce.smin.v16i32(<16 x i32>)

declare i32 @llvm.vector.reduce.smax.v16i32(<16 x i32>)

define internal fastcc range(i32 0, 65536) i32 @half_operation(i32 noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) unnamed_addr {
  %5 = and i32 %2, 65535
  %6 = tail call float @decode(i32 noundef %1, i32 noundef %5)
  %7 = and i32 %3, 65535
  %8 = tail call float @decode(i32 noundef %1, i32 noundef %7)
  %9 = icmp eq i32 %0, 0
  br i1 %9, label %10, label %19

10:
  %11 = fadd float %6, %8
  %12 = tail call i32 @encode(i32 noundef %1, float noundef %11, i32 noundef 0)
  %13 = and i32 %12, 32767
  %14 = icmp eq i32 %1, 1
  %15 = select i1 %14, i32 31744, i32 32640
  %16 = icmp samesign ugt i32 %13, %15
  %17 = and i32 %12, 65535
  %18 = select i1 %16, i32 32767, i32 %17
  br label %49

19:
  %20 = fcmp uno float %6, 0.000000e+00
  br i1 %20, label %21, label %27

21:
  %22 = and i32 %3, 32767
  %23 = icmp eq i32 %1, 1
  %24 = select i1 %23, i32 31744, i32 32640
  %25 = icmp samesign ugt i32 %22, %24
  %26 = select i1 %25, i32 32767, i32 %7
  br label %49

27:
  %28 = fcmp uno float %8, 0.000000e+00
  br i1 %28, label %29, label %35

29:
  %30 = and i32 %2, 32767
  %31 = icmp eq i32 %1, 1
  %32 = select i1 %31, i32 31744, i32 32640
  %33 = icmp samesign ugt i32 %30, %32
  %34 = select i1 %33, i32 32767, i32 %5
  br label %49

35:
  %36 = fcmp olt float %6, %8
  br i1 %36, label %43, label %37

37:
  %38 = fcmp oeq float %6, %8
  %39 = and i32 %2, 32768
  %40 = icmp ne i32 %39, 0
  %41 = and i1 %40, %38
  %42 = zext i1 %41 to i32
  br label %43

43:
  %44 = phi i32 [ 1, %35 ], [ %42, %37 ]
  %45 = icmp eq i32 %0, 1
  %46 = zext i1 %45 to i32
  %47 = icmp eq i32 %44, %46
  %48 = select i1 %47, i32 %5, i32 %7
  br label %49

49:
  %50 = phi i32 [ %18, %10 ], [ %26, %21 ], [ %34, %29 ], [ %48, %43 ]
  ret i32 %50
}

define internal fastcc void @drop_children(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, i64 noundef range(i64 0, 129) %2) unnamed_addr {
  %4 = load i64, ptr %1, align 8
  %5 = and i64 %4, 9223372036854775744
  %6 = inttoptr i64 %5 to ptr
  %7 = and i64 %4, 63
  %8 = trunc nuw i64 %2 to i8
  %9 = trunc nuw nsw i64 %7 to i8
  %10 = udiv i8 %8, %9
  %11 = zext i8 %10 to i64
  %12 = icmp samesign ugt i64 %7, %2
  br i1 %12, label %15, label %13

13:
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %42

15:
  %16 = icmp samesign ult i64 %2, 128
  %17 = icmp eq i64 %7, 4
  %18 = icmp eq i64 %5, ptrtoint (ptr @nowhere to i64)
  br i1 %18, label %41, label %19

19:
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %21 = load ptr, ptr %20, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 84
  %23 = load i32, ptr %22, align 4
  %24 = icmp eq i32 %23, 1
  %25 = load ptr, ptr %0, align 8
  %26 = load ptr, ptr %25, align 8
  br i1 %24, label %27, label %30

27:
  %28 = load ptr, ptr %26, align 8
  %29 = getelementptr inbounds nuw i8, ptr %28, i64 136
  br label %34

30:
  %31 = getelementptr inbounds nuw i8, ptr %26, i64 16
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 424
  br label %34

34:
  %35 = phi ptr [ %29, %27 ], [ %33, %30 ]
  %36 = getelementptr inbounds nuw i8, ptr %35, i64 16
  %37 = zext i1 %17 to i64
  %38 = select i1 %16, i64 2, i64 %37
  %39 = getelementptr inbounds nuw ptr, ptr %36, i64 %38
  %40 = load ptr, ptr %39, align 8
  store ptr %40, ptr %6, align 64
  store ptr %6, ptr %39, align 8
  br label %41

41:
  ret void

42:
  %43 = phi i64 [ 0, %13 ], [ %109, %108 ]
  %44 = getelementptr inbounds nuw %struct.Line, ptr %6, i64 %43
  %45 = load i64, ptr %44, align 16
  %46 = icmp sgt i64 %45, -1
  %47 = and i64 %45, 63
  %48 = icmp eq i64 %47, 0
  %49 = or i1 %46, %48
  br i1 %49, label %51, label %50

50:
  tail call fastcc void @drop_children(ptr noundef %0, ptr noundef nonnull %44, i64 noundef %7)
  br label %108

51:
  br i1 %46, label %78, label %52

52:
  %53 = phi i64 [ %56, %76 ], [ %45, %51 ]
  %54 = and i64 %53, 9223372036854775744
  %55 = inttoptr i64 %54 to ptr
  %56 = load i64, ptr %55, align 64
  %57 = icmp eq i64 %54, ptrtoint (ptr @nowhere to i64)
  br i1 %57, label %76, label %58

58:
  %59 = load ptr, ptr %14, align 8
  %60 = getelementptr inbounds nuw i8, ptr %59, i64 84
  %61 = load i32, ptr %60, align 4
  %62 = icmp eq i32 %61, 1
  %63 = load ptr, ptr %0, align 8
  %64 = load ptr, ptr %63, align 8
  br i1 %62, label %65, label %68

65:
  %66 = load ptr, ptr %64, align 8
  %67 = getelementptr inbounds nuw i8, ptr %66, i64 136
  br label %72

68:
  %69 = getelementptr inbounds nuw i8, ptr %64, i64 16
  %70 = load ptr, ptr %69, align 8
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 424
  br label %72

72:
  %73 = phi ptr [ %67, %65 ], [ %71, %68 ]
  %74 = getelementptr inbounds nuw i8, ptr %73, i64 16
  %75 = load ptr, ptr %74, align 8
  store ptr %75, ptr %55, align 64
  store ptr %55, ptr %74, align 8
  br label %76

76:
  %77 = icmp sgt i64 %56, -1
  br i1 %77, label %78, label %52

78:
  %79 = getelementptr inbounds nuw i8, ptr %44, i64 8
  %80 = load i64, ptr %79, align 8
  %81 = icmp sgt i64 %80, -1
  br i1 %81, label %108, label %82

82:
  %83 = phi i64 [ %86, %106 ], [ %80, %78 ]
  %84 = and i64 %83, 9223372036854775744
  %85 = inttoptr i64 %84 to ptr
  %86 = load i64, ptr %85, align 64
  %87 = icmp eq i64 %84, ptrtoint (ptr @nowhere to i64)
  br i1 %87, label %106, label %88

88:
  %89 = load ptr, ptr %14, align 8
  %90 = getelementptr inbounds nuw i8, ptr %89, i64 84
  %91 = load i32, ptr %90, align 4
  %92 = icmp eq i32 %91, 1
  %93 = load ptr, ptr %0, align 8
  %94 = load ptr, ptr %93, align 8
  br i1 %92, label %95, label %98

95:
  %96 = load ptr, ptr %94, align 8
  %97 = getelementptr inbounds nuw i8, ptr %96, i64 136
  br label %102

98:
  %99 = getelementptr inbounds nuw i8, ptr %94, i64 16
  %100 = load ptr, ptr %99, align 8
  %101 = getelementptr inbounds nuw i8, ptr %100, i64 424
  br label %102

102:
  %103 = phi ptr [ %97, %95 ], [ %101, %98 ]
  %104 = getelementptr inbounds nuw i8, ptr %103, i64 16
  %105 = load ptr, ptr %104, align 8
  store ptr %105, ptr %85, align 64
  store ptr %85, ptr %104, align 8
  br label %106

106:
  %107 = icmp sgt i64 %86, -1
  br i1 %107, label %108, label %82

108:
  %109 = add nuw nsw i64 %43, 1
  %110 = icmp samesign ult i64 %109, %11
  br i1 %110, label %42, label %15
}

define internal fastcc void @copy_set(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1) unnamed_addr {
  %3 = load i64, ptr %1, align 8
  %4 = icmp sgt i64 %3, -1
  br i1 %4, label %81, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %7

7:
  %8 = phi ptr [ %1, %5 ], [ %78, %71 ]
  %9 = load ptr, ptr %6, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 84
  %11 = load i32, ptr %10, align 4
  %12 = icmp eq i32 %11, 1
  %13 = load ptr, ptr %0, align 8
  %14 = load ptr, ptr %13, align 8
  br i1 %12, label %15, label %18

15:
  %16 = load ptr, ptr %14, align 8
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 136
  br label %22

18:
  %19 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 424
  br label %22

22:
  %23 = phi ptr [ %17, %15 ], [ %21, %18 ]
  %24 = getelementptr inbounds nuw i8, ptr %23, i64 16
  %25 = load ptr, ptr %24, align 8
  %26 = icmp eq ptr %25, null
  br i1 %26, label %29, label %27

27:
  %28 = load ptr, ptr %25, align 8
  store ptr %28, ptr %24, align 8
  br label %68

29:
  %30 = getelementptr inbounds nuw i8, ptr %23, i64 40
  %31 = load i64, ptr %30, align 8
  %32 = icmp ult i64 %31, 128
  br i1 %32, label %36, label %33

33:
  %34 = getelementptr inbounds nuw i8, ptr %23, i64 48
  %35 = load ptr, ptr %34, align 8
  br label %62

36:
  %37 = getelementptr inbounds nuw i8, ptr %23, i64 8
  %38 = load ptr, ptr %37, align 8
  %39 = icmp eq ptr %38, null
  br i1 %39, label %42, label %40

40:
  %41 = load ptr, ptr %38, align 8
  store ptr %41, ptr %37, align 8
  br label %53

42:
  %43 = tail call dereferenceable_or_null(65536) ptr @malloc(i64 noundef 65536)
  %44 = icmp eq ptr %43, null
  br i1 %44, label %45, label %47

45:
  %46 = getelementptr inbounds nuw i8, ptr %14, i64 184
  store i32 3, ptr %46, align 8
  br label %81

47:
  %48 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %49 = load ptr, ptr %48, align 8
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 480
  %51 = load ptr, ptr %50, align 8
  %52 = getelementptr inbounds nuw i8, ptr %43, i64 8
  store ptr %51, ptr %52, align 8
  store ptr %43, ptr %50, align 8
  br label %53

53:
  %54 = phi ptr [ %38, %40 ], [ %43, %47 ]
  %55 = load ptr, ptr %23, align 8
  store ptr %55, ptr %54, align 8
  store ptr %54, ptr %23, align 8
  %56 = ptrtoint ptr %54 to i64
  %57 = sub i64 0, %56
  %58 = and i64 %57, 63
  %59 = or disjoint i64 %58, 64
  %60 = getelementptr inbounds nuw i8, ptr %54, i64 %59
  %61 = sub nuw nsw i64 65536, %59
  br label %62

62:
  %63 = phi i64 [ %31, %33 ], [ %61, %53 ]
  %64 = phi ptr [ %35, %33 ], [ %60, %53 ]
  %65 = getelementptr inbounds nuw i8, ptr %23, i64 48
  %66 = getelementptr inbounds nuw i8, ptr %64, i64 128
  store ptr %66, ptr %65, align 8
  %67 = add i64 %63, -128
  store i64 %67, ptr %30, align 8
  br label %68

68:
  %69 = phi ptr [ %25, %27 ], [ %64, %62 ]
  %70 = icmp eq ptr %69, @nowhere
  br i1 %70, label %81, label %71

71:
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %69, i8 0, i64 128, i1 false)
  %72 = load i64, ptr %8, align 8
  %73 = and i64 %72, 9223372036854775744
  %74 = inttoptr i64 %73 to ptr
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %69, ptr noundef nonnull align 64 dereferenceable(128) %74, i64 128, i1 false)
  %75 = ptrtoint ptr %69 to i64
  %76 = or i64 %75, -9223372036854775808
  store i64 %76, ptr %8, align 8
  %77 = and i64 %75, 9223372036854775744
  %78 = inttoptr i64 %77 to ptr
  %79 = load i64, ptr %78, align 64
  %80 = icmp sgt i64 %79, -1
  br i1 %80, label %81, label %7

81:
  ret void
}

define internal fastcc i64 @unordered(ptr noundef readonly captures(none) %0, i64 noundef %1, i32 noundef range(i32 0, 2) %2) unnamed_addr {
  %4 = icmp eq i64 %1, 0
  br i1 %4, label %75, label %5

5:
  %6 = icmp slt i64 %1, 0
  %7 = icmp eq i32 %2, 0
  br i1 %6, label %8, label %10

8:
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %35

10:
  %11 = icmp samesign ult i64 %1, 4611686018427387904
  %12 = or i1 %11, %7
  br i1 %12, label %31, label %13

13:
  %14 = load ptr, ptr %0, align 8
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %16 = load i32, ptr %15, align 8
  %17 = and i32 %16, 12
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %31, label %19

19:
  %20 = and i64 %1, 2305843009213693952
  %21 = icmp ne i64 %20, 0
  %22 = and i32 %16, 16
  %23 = icmp ne i32 %22, 0
  %24 = or i1 %21, %23
  br i1 %24, label %25, label %75

25:
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %27 = load i64, ptr %26, align 8
  %28 = xor i64 %27, %1
  %29 = and i64 %28, 288230238712758272
  %30 = icmp eq i64 %29, 0
  br i1 %30, label %75, label %31

31:
  %32 = tail call fastcc i32 @before(ptr noundef %0, i64 noundef %1)
  %33 = icmp eq i32 %32, 0
  %34 = select i1 %33, i64 %1, i64 0
  br label %75

35:
  %36 = phi i64 [ %1, %8 ], [ %73, %72 ]
  %37 = and i64 %36, 9223372036854775744
  %38 = inttoptr i64 %37 to ptr
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 8
  br label %40

40:
  %41 = phi i64 [ 0, %35 ], [ %70, %69 ]
  %42 = getelementptr inbounds nuw i64, ptr %39, i64 %41
  %43 = load i64, ptr %42, align 8
  %44 = icmp eq i64 %43, 0
  br i1 %44, label %72, label %45

45:
  %46 = and i64 %43, 4611686018427387904
  %47 = icmp eq i64 %46, 0
  %48 = or i1 %7, %47
  br i1 %48, label %66, label %49

49:
  %50 = load ptr, ptr %0, align 8
  %51 = getelementptr inbounds nuw i8, ptr %50, i64 16
  %52 = load i32, ptr %51, align 8
  %53 = and i32 %52, 12
  %54 = icmp eq i32 %53, 0
  br i1 %54, label %66, label %55

55:
  %56 = and i64 %43, 2305843009213693952
  %57 = icmp ne i64 %56, 0
  %58 = and i32 %52, 16
  %59 = icmp ne i32 %58, 0
  %60 = or i1 %57, %59
  br i1 %60, label %61, label %69

61:
  %62 = load i64, ptr %9, align 8
  %63 = xor i64 %62, %43
  %64 = and i64 %63, 288230238712758272
  %65 = icmp eq i64 %64, 0
  br i1 %65, label %69, label %66

66:
  %67 = tail call fastcc i32 @before(ptr noundef %0, i64 noundef %43)
  %68 = icmp eq i32 %67, 0
  br i1 %68, label %75, label %69

69:
  %70 = add nuw nsw i64 %41, 1
  %71 = icmp eq i64 %70, 15
  br i1 %71, label %72, label %40

72:
  %73 = load i64, ptr %38, align 64
  %74 = icmp sgt i64 %73, -1
  br i1 %74, label %75, label %35

75:
  %76 = phi i64 [ 0, %19 ], [ %34, %31 ], [ 0, %3 ], [ 0, %25 ], [ %43, %66 ], [ 0, %72 ]
  ret i64 %76
}

define internal fastcc void @note(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1, i64 noundef %2) unnamed_addr {
  %4 = load i64, ptr %1, align 8
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %20, label %6

6:
  %7 = icmp slt i64 %4, 0
  br i1 %7, label %90, label %8

8:
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load i64, ptr %9, align 8
  %11 = xor i64 %10, %4
  %12 = and i64 %11, 2305843008945258496
  %13 = icmp eq i64 %12, 0
  br i1 %13, label %20, label %14

14:
  %15 = and i64 %11, 2017612633061982208
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %17, label %21

17:
  %18 = tail call fastcc i32 @before(ptr noundef nonnull readonly %0, i64 noundef range(i64 1, 0) %4)
  %19 = icmp eq i32 %18, 0
  br i1 %19, label %21, label %20

20:
  store i64 %2, ptr %1, align 8
  br label %195

21:
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %23 = load ptr, ptr %22, align 8
  %24 = getelementptr inbounds nuw i8, ptr %23, i64 84
  %25 = load i32, ptr %24, align 4
  %26 = icmp eq i32 %25, 1
  %27 = load ptr, ptr %0, align 8
  %28 = load ptr, ptr %27, align 8
  br i1 %26, label %29, label %32

29:
  %30 = load ptr, ptr %28, align 8
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 136
  br label %36

32:
  %33 = getelementptr inbounds nuw i8, ptr %28, i64 16
  %34 = load ptr, ptr %33, align 8
  %35 = getelementptr inbounds nuw i8, ptr %34, i64 424
  br label %36

36:
  %37 = phi ptr [ %31, %29 ], [ %35, %32 ]
  %38 = getelementptr inbounds nuw i8, ptr %37, i64 16
  %39 = load ptr, ptr %38, align 8
  %40 = icmp eq ptr %39, null
  br i1 %40, label %43, label %41

41:
  %42 = load ptr, ptr %39, align 8
  store ptr %42, ptr %38, align 8
  br label %82

43:
  %44 = getelementptr inbounds nuw i8, ptr %37, i64 40
  %45 = load i64, ptr %44, align 8
  %46 = icmp ult i64 %45, 128
  br i1 %46, label %50, label %47

47:
  %48 = getelementptr inbounds nuw i8, ptr %37, i64 48
  %49 = load ptr, ptr %48, align 8
  br label %76

50:
  %51 = getelementptr inbounds nuw i8, ptr %37, i64 8
  %52 = load ptr, ptr %51, align 8
  %53 = icmp eq ptr %52, null
  br i1 %53, label %56, label %54

54:
  %55 = load ptr, ptr %52, align 8
  store ptr %55, ptr %51, align 8
  br label %67

56:
  %57 = tail call dereferenceable_or_null(65536) ptr @malloc(i64 noundef 65536)
  %58 = icmp eq ptr %57, null
  br i1 %58, label %59, label %61

59:
  %60 = getelementptr inbounds nuw i8, ptr %28, i64 184
  store i32 3, ptr %60, align 8
  br label %195

61:
  %62 = getelementptr inbounds nuw i8, ptr %28, i64 16
  %63 = load ptr, ptr %62, align 8
  %64 = getelementptr inbounds nuw i8, ptr %63, i64 480
  %65 = load ptr, ptr %64, align 8
  %66 = getelementptr inbounds nuw i8, ptr %57, i64 8
  store ptr %65, ptr %66, align 8
  store ptr %57, ptr %64, align 8
  br label %67

67:
  %68 = phi ptr [ %52, %54 ], [ %57, %61 ]
  %69 = load ptr, ptr %37, align 8
  store ptr %69, ptr %68, align 8
  store ptr %68, ptr %37, align 8
  %70 = ptrtoint ptr %68 to i64
  %71 = sub i64 0, %70
  %72 = and i64 %71, 63
  %73 = or disjoint i64 %72, 64
  %74 = getelementptr inbounds nuw i8, ptr %68, i64 %73
  %75 = sub nuw nsw i64 65536, %73
  br label %76

76:
  %77 = phi i64 [ %45, %47 ], [ %75, %67 ]
  %78 = phi ptr [ %49, %47 ], [ %74, %67 ]
  %79 = getelementptr inbounds nuw i8, ptr %37, i64 48
  %80 = getelementptr inbounds nuw i8, ptr %78, i64 128
  store ptr %80, ptr %79, align 8
  %81 = add i64 %77, -128
  store i64 %81, ptr %44, align 8
  br label %82

82:
  %83 = phi ptr [ %39, %41 ], [ %78, %76 ]
  %84 = icmp eq ptr %83, @nowhere
  br i1 %84, label %195, label %85

85:
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %83, i8 0, i64 128, i1 false)
  %86 = load i64, ptr %1, align 8
  %87 = getelementptr inbounds nuw i8, ptr %83, i64 8
  store i64 %86, ptr %87, align 8
  %88 = ptrtoint ptr %83 to i64
  %89 = or i64 %88, -9223372036854775808
  store i64 %89, ptr %1, align 8
  br label %90

90:
  %91 = phi i64 [ %89, %85 ], [ %4, %6 ]
  %92 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %94

94:
  %95 = phi i64 [ %91, %90 ], [ %194, %193 ]
  %96 = and i64 %95, 9223372036854775744
  %97 = inttoptr i64 %96 to ptr
  %98 = getelementptr inbounds nuw i8, ptr %97, i64 8
  br label %99

99:
  %100 = phi i64 [ 0, %94 ], [ %116, %115 ]
  %101 = getelementptr inbounds nuw i64, ptr %98, i64 %100
  %102 = load i64, ptr %101, align 8
  %103 = icmp eq i64 %102, 0
  br i1 %103, label %118, label %104

104:
  %105 = load i64, ptr %92, align 8
  %106 = xor i64 %105, %102
  %107 = and i64 %106, 2305843008945258496
  %108 = icmp eq i64 %107, 0
  br i1 %108, label %118, label %109

109:
  %110 = and i64 %106, 2017612633061982208
  %111 = icmp eq i64 %110, 0
  br i1 %111, label %112, label %115

112:
  %113 = tail call fastcc i32 @before(ptr noundef nonnull readonly %0, i64 noundef range(i64 1, 0) %102)
  %114 = icmp eq i32 %113, 0
  br i1 %114, label %115, label %118

115:
  %116 = add nuw nsw i64 %100, 1
  %117 = icmp eq i64 %116, 15
  br i1 %117, label %120, label %99

118:
  %119 = getelementptr inbounds nuw i64, ptr %98, i64 %100
  store i64 %2, ptr %119, align 8
  br label %195

120:
  %121 = load ptr, ptr %93, align 8
  %122 = getelementptr inbounds nuw i8, ptr %121, i64 84
  %123 = load i32, ptr %122, align 4
  %124 = icmp eq i32 %123, 0
  br i1 %124, label %125, label %127

125:
  %126 = getelementptr inbounds nuw i8, ptr %97, i64 120
  store i64 %2, ptr %126, align 8
  br label %195

127:
  %128 = load i64, ptr %97, align 64
  %129 = icmp eq i64 %128, 0
  br i1 %129, label %130, label %193

130:
  %131 = icmp eq i32 %123, 1
  %132 = load ptr, ptr %0, align 8
  %133 = load ptr, ptr %132, align 8
  br i1 %131, label %134, label %137

134:
  %135 = load ptr, ptr %133, align 8
  %136 = getelementptr inbounds nuw i8, ptr %135, i64 136
  br label %141

137:
  %138 = getelementptr inbounds nuw i8, ptr %133, i64 16
  %139 = load ptr, ptr %138, align 8
  %140 = getelementptr inbounds nuw i8, ptr %139, i64 424
  br label %141

141:
  %142 = phi ptr [ %136, %134 ], [ %140, %137 ]
  %143 = getelementptr inbounds nuw i8, ptr %142, i64 16
  %144 = load ptr, ptr %143, align 8
  %145 = icmp eq ptr %144, null
  br i1 %145, label %148, label %146

146:
  %147 = load ptr, ptr %144, align 8
  store ptr %147, ptr %143, align 8
  br label %187

148:
  %149 = getelementptr inbounds nuw i8, ptr %142, i64 40
  %150 = load i64, ptr %149, align 8
  %151 = icmp ult i64 %150, 128
  br i1 %151, label %155, label %152

152:
  %153 = getelementptr inbounds nuw i8, ptr %142, i64 48
  %154 = load ptr, ptr %153, align 8
  br label %181

155:
  %156 = getelementptr inbounds nuw i8, ptr %142, i64 8
  %157 = load ptr, ptr %156, align 8
  %158 = icmp eq ptr %157, null
  br i1 %158, label %161, label %159

159:
  %160 = load ptr, ptr %157, align 8
  store ptr %160, ptr %156, align 8
  br label %172

161:
  %162 = tail call dereferenceable_or_null(65536) ptr @malloc(i64 noundef 65536)
  %163 = icmp eq ptr %162, null
  br i1 %163, label %164, label %166

164:
  %165 = getelementptr inbounds nuw i8, ptr %133, i64 184
  store i32 3, ptr %165, align 8
  br label %195

166:
  %167 = getelementptr inbounds nuw i8, ptr %133, i64 16
  %168 = load ptr, ptr %167, align 8
  %169 = getelementptr inbounds nuw i8, ptr %168, i64 480
  %170 = load ptr, ptr %169, align 8
  %171 = getelementptr inbounds nuw i8, ptr %162, i64 8
  store ptr %170, ptr %171, align 8
  store ptr %162, ptr %169, align 8
  br label %172

172:
  %173 = phi ptr [ %157, %159 ], [ %162, %166 ]
  %174 = load ptr, ptr %142, align 8
  store ptr %174, ptr %173, align 8
  store ptr %173, ptr %142, align 8
  %175 = ptrtoint ptr %173 to i64
  %176 = sub i64 0, %175
  %177 = and i64 %176, 63
  %178 = or disjoint i64 %177, 64
  %179 = getelementptr inbounds nuw i8, ptr %173, i64 %178
  %180 = sub nuw nsw i64 65536, %178
  br label %181

181:
  %182 = phi i64 [ %150, %152 ], [ %180, %172 ]
  %183 = phi ptr [ %154, %152 ], [ %179, %172 ]
  %184 = getelementptr inbounds nuw i8, ptr %142, i64 48
  %185 = getelementptr inbounds nuw i8, ptr %183, i64 128
  store ptr %185, ptr %184, align 8
  %186 = add i64 %182, -128
  store i64 %186, ptr %149, align 8
  br label %187

187:
  %188 = phi ptr [ %144, %146 ], [ %183, %181 ]
  %189 = icmp eq ptr %188, @nowhere
  br i1 %189, label %195, label %190

190:
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %188, i8 0, i64 128, i1 false)
  %191 = ptrtoint ptr %188 to i64
  %192 = or i64 %191, -9223372036854775808
  store i64 %192, ptr %97, align 64
  br label %193

193:
  %194 = phi i64 [ %128, %127 ], [ %192, %190 ]
  br label %94

195:
  ret void
}

define internal fastcc range(i32 0, 2) i32 @before(ptr noundef readonly captures(none) %0, i64 noundef %1) unnamed_addr {
  %3 = load ptr, ptr %0, align 8
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = lshr i64 %1, 58
  %8 = trunc nuw nsw i64 %7 to i32
  %9 = and i32 %8, 7
  %10 = lshr i64 %6, 58
  %11 = trunc nuw nsw i64 %10 to i32
  %12 = and i32 %11, 7
  %13 = lshr i64 %1, 28
  %14 = lshr i64 %1, 37
  %15 = and i64 %14, 2097151
  %16 = lshr i64 %6, 37
  %17 = and i64 %16, 2097151
  %18 = icmp eq i64 %15, %17
  br i1 %18, label %82, label %19

19:
  %20 = getelementptr inbounds nuw i8, ptr %4, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 416
  %23 = load ptr, ptr %22, align 8
  %24 = getelementptr inbounds nuw i8, ptr %23, i64 4
  %25 = load i32, ptr %24, align 4
  %26 = icmp ult i32 %25, 2
  %27 = icmp eq i32 %9, 0
  %28 = select i1 %26, i1 %27, i1 false
  br i1 %28, label %29, label %143

29:
  %30 = and i64 %1, 268435455
  %31 = load ptr, ptr %4, align 8
  %32 = getelementptr inbounds nuw i8, ptr %31, i64 8
  %33 = load i32, ptr %32, align 8
  %34 = zext i32 %33 to i64
  %35 = getelementptr inbounds nuw i8, ptr %21, i64 176
  %36 = load ptr, ptr %35, align 8
  %37 = getelementptr inbounds nuw i8, ptr %21, i64 184
  %38 = load i64, ptr %37, align 8
  %39 = mul i64 %38, %15
  %40 = getelementptr inbounds nuw i64, ptr %36, i64 %39
  %41 = load i64, ptr %40, align 8
  %42 = getelementptr inbounds nuw i8, ptr %31, i64 120
  %43 = load ptr, ptr %42, align 8
  %44 = getelementptr inbounds nuw i8, ptr %4, i64 28
  %45 = load i32, ptr %44, align 4
  %46 = zext i32 %45 to i64
  %47 = getelementptr inbounds nuw i8, ptr %31, i64 112
  %48 = load i64, ptr %47, align 8
  %49 = mul i64 %48, %34
  %50 = add i64 %49, 3
  %51 = mul i64 %50, %46
  %52 = getelementptr inbounds nuw i64, ptr %43, i64 %51
  %53 = load i64, ptr %52, align 8
  %54 = icmp eq i64 %41, 0
  br i1 %54, label %143, label %55

55:
  %56 = getelementptr inbounds nuw i8, ptr %40, i64 8
  %57 = add nuw nsw i64 %34, 1
  br label %58

58:
  %59 = phi i64 [ 0, %55 ], [ %69, %58 ]
  %60 = phi i64 [ %41, %55 ], [ %68, %58 ]
  %61 = add i64 %60, %59
  %62 = lshr i64 %61, 1
  %63 = mul i64 %62, %57
  %64 = getelementptr inbounds nuw i64, ptr %56, i64 %63
  %65 = load i64, ptr %64, align 8
  %66 = icmp ugt i64 %65, %53
  %67 = add nuw i64 %62, 1
  %68 = select i1 %66, i64 %62, i64 %60
  %69 = select i1 %66, i64 %59, i64 %67
  %70 = icmp ult i64 %69, %68
  br i1 %70, label %58, label %71

71:
  %72 = icmp eq i64 %69, 0
  br i1 %72, label %143, label %73

73:
  %74 = add i64 %69, -1
  %75 = mul i64 %74, %57
  %76 = getelementptr inbounds nuw i64, ptr %56, i64 %75
  %77 = and i64 %13, 511
  %78 = getelementptr inbounds nuw i64, ptr %76, i64 %77
  %79 = getelementptr inbounds nuw i8, ptr %78, i64 8
  %80 = load i64, ptr %79, align 8
  %81 = icmp uge i64 %80, %30
  br label %143

82:
  %83 = trunc i64 %13 to i32
  %84 = and i32 %83, 511
  %85 = getelementptr inbounds nuw i8, ptr %4, i64 28
  %86 = load i32, ptr %85, align 4
  %87 = icmp eq i32 %84, %86
  br i1 %87, label %88, label %102

88:
  %89 = icmp samesign ult i32 %12, 2
  %90 = icmp samesign ult i32 %9, 2
  %91 = select i1 %89, i1 %90, i1 false
  br i1 %91, label %143, label %92

92:
  %93 = icmp eq i32 %12, 4
  %94 = icmp eq i32 %9, 4
  %95 = select i1 %93, i1 %94, i1 false
  br i1 %95, label %143, label %96

96:
  %97 = icmp eq i32 %12, %9
  br i1 %97, label %98, label %102

98:
  %99 = xor i64 %6, %1
  %100 = and i64 %99, 268435455
  %101 = icmp eq i64 %100, 0
  br i1 %101, label %143, label %102

102:
  %103 = and i64 %1, 268435455
  %104 = load ptr, ptr %4, align 8
  %105 = getelementptr inbounds nuw i8, ptr %104, i64 120
  %106 = load ptr, ptr %105, align 8
  %107 = getelementptr inbounds nuw i8, ptr %104, i64 112
  %108 = load i64, ptr %107, align 8
  %109 = getelementptr inbounds nuw i8, ptr %104, i64 8
  %110 = load i32, ptr %109, align 8
  %111 = icmp samesign ult i32 %9, 2
  br i1 %111, label %112, label %116

112:
  %113 = icmp eq i32 %12, 4
  %114 = select i1 %113, i32 2, i32 0
  %115 = or disjoint i32 %114, %9
  br label %127

116:
  %117 = icmp samesign ult i32 %12, 2
  br i1 %117, label %118, label %120

118:
  %119 = add nuw nsw i32 %9, 2
  br label %127

120:
  %121 = icmp eq i32 %9, 4
  %122 = icmp eq i32 %12, 4
  %123 = and i1 %121, %122
  %124 = select i1 %123, i32 -1, i32 -2
  %125 = add nuw nsw i32 %9, 7
  %126 = add nsw i32 %125, %124
  br label %127

127:
  %128 = phi i32 [ %115, %112 ], [ %119, %118 ], [ %126, %120 ]
  %129 = zext i32 %110 to i64
  %130 = mul i64 %108, %129
  %131 = add i64 %130, 3
  %132 = zext i32 %86 to i64
  %133 = mul i64 %131, %132
  %134 = getelementptr inbounds nuw i64, ptr %106, i64 %133
  %135 = getelementptr inbounds nuw i8, ptr %134, i64 24
  %136 = zext nneg i32 %128 to i64
  %137 = mul nuw nsw i64 %136, %129
  %138 = getelementptr inbounds nuw i64, ptr %135, i64 %137
  %139 = and i64 %13, 511
  %140 = getelementptr inbounds nuw i64, ptr %138, i64 %139
  %141 = load i64, ptr %140, align 8
  %142 = icmp ule i64 %103, %141
  br label %143

143:
  %144 = phi i1 [ %142, %127 ], [ false, %19 ], [ true, %88 ], [ true, %92 ], [ true, %98 ], [ false, %71 ], [ %81, %73 ], [ false, %29 ]
  %145 = zext i1 %144 to i32
  ret i32 %145
}

declare i64 @llvm.umin.i64(i64, i64)

declare i32 @llvm.umin.i32(i32, i32)

declare i64 @llvm.abs.i64(i64, i1 immarg)

declare i32 @llvm.umax.i32(i32, i32)

declare float @llvm.fabs.f32(float)

declare double @llvm.fabs.f64(double)

declare i32 @llvm.usub.sat.i32(i32, i32)

declare i32 @llvm.smax.i32(i32, i32)

declare i32 @llvm.smin.i32(i32, i32)

declare i32 @llvm.abs.i32(i32, i1 immarg)

declare i64 @llvm.umax.i64(i64, i64)

declare i32 @llvm.ctpop.i32(i32)

declare <16 x float> @llvm.fabs.v16f32(<16 x float>)

declare <16 x double> @llvm.fabs.v16f64(<16 x double>)

declare i64 @llvm.usub.sat.i64(i64, i64)

declare i32 @llvm.fshr.i32(i32, i32, i32)

declare i1 @llvm.is.fpclass.f64(double, i32 immarg)

declare i1 @llvm.is.fpclass.f32(float, i32 immarg)

