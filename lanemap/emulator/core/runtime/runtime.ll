%struct.HazardRecord = type { i32, i32, i32, i32, i64, i64, i64, i64, [4 x i64], i32, i32, i32, i32 }
%struct.Place = type { ptr, ptr, ptr, ptr, i64, i32 }
%struct.Region = type { i64, i64, ptr, ptr, ptr, ptr, i32, i32 }
%struct.SharedGranule = type { i64, i32, i32 }
%struct.Granule = type { i64, i64, i64 }
%struct.LaneGroup = type { i32, i32, i32, i32 }
%struct.Meeting = type { i32, i32, i32, i32, i32 }
%struct.Origin = type { i32, i32, i32, i32, i64, i64, i32, i32 }
%struct.Outstanding = type { i32, i32, i32, i32, i64, i32, i32 }
%struct.Segment = type { i32, i32 }
%struct.SegmentWord = type { i64, i64 }

@lm_hazard.overflow = internal global %struct.HazardRecord zeroinitializer, align 8
@switch.table.lm_layout = private unnamed_addr constant [9 x i64] [i64 68032, i64 17504, i64 152, i64 56, i64 96, i64 12224, i64 12736, i64 49600, i64 352], align 8

define void @lm_atomic(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, i32 noundef %8, i32 noundef %9) local_unnamed_addr {
  %11 = alloca %struct.Place, align 8
  %12 = icmp eq i32 %2, 1
  br i1 %12, label %19, label %13

13:
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %15 = load i64, ptr %14, align 8
  %16 = add i64 %15, 1
  store i64 %16, ptr %14, align 8
  %17 = and i32 %2, -3
  %18 = icmp eq i32 %17, 1
  br i1 %18, label %19, label %23

19:
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %21 = load i64, ptr %20, align 8
  %22 = add i64 %21, 1
  store i64 %22, ptr %20, align 8
  br label %23

23:
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %25 = load ptr, ptr %24, align 8
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 108
  %27 = load i32, ptr %26, align 4
  %28 = icmp eq i32 %27, 0
  br i1 %28, label %56, label %29

29:
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 12224
  %31 = zext i32 %4 to i64
  %32 = add i32 %5, -1
  %33 = zext i32 %32 to i64
  %34 = zext i32 %5 to i64
  %35 = getelementptr inbounds nuw i8, ptr %11, i64 24
  %36 = or i32 %9, 7
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 12736
  %38 = zext i32 %6 to i64
  %39 = getelementptr inbounds nuw [64 x i32], ptr %37, i64 %38
  %40 = icmp eq i32 %4, 8
  %41 = add i32 %6, 1
  %42 = zext i32 %41 to i64
  %43 = getelementptr inbounds nuw [64 x i32], ptr %37, i64 %42
  %44 = icmp eq i32 %4, 0
  %45 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 52
  %47 = zext i32 %7 to i64
  %48 = getelementptr inbounds nuw [64 x i32], ptr %37, i64 %47
  %49 = add i32 %7, 1
  %50 = zext i32 %49 to i64
  %51 = getelementptr inbounds nuw [64 x i32], ptr %37, i64 %50
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 31168
  %53 = getelementptr inbounds nuw [64 x i32], ptr %52, i64 %38
  %54 = getelementptr inbounds nuw [64 x i32], ptr %52, i64 %42
  %55 = icmp ne i32 %8, 12
  br label %57

56:
  ret void

57:
  %58 = phi ptr [ %25, %29 ], [ %295, %294 ]
  %59 = phi i64 [ 0, %29 ], [ %296, %294 ]
  %60 = shl nuw i64 1, %59
  %61 = and i64 %60, %3
  %62 = icmp eq i64 %61, 0
  br i1 %62, label %294, label %63

63:
  %64 = getelementptr inbounds nuw i64, ptr %30, i64 %59
  %65 = load i64, ptr %64, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %11)
  %66 = trunc nuw i64 %59 to i32
  %67 = call i32 @resolve(ptr noundef nonnull %0, i32 noundef %2, i32 noundef %66, i64 noundef %65, i64 noundef %31, ptr noundef nonnull %11)
  %68 = icmp eq i32 %67, 0
  br i1 %68, label %69, label %70

69:
  tail call void @out_of_bounds(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2, i32 noundef %66, i64 noundef %65, i64 noundef %31)
  br label %292

70:
  %71 = and i64 %65, %33
  %72 = icmp eq i64 %71, 0
  br i1 %72, label %74, label %73

73:
  tail call void @misaligned(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2, i32 noundef %66, i64 noundef %65, i64 noundef %34)
  br label %292

74:
  %75 = load ptr, ptr %35, align 8
  %76 = icmp eq ptr %75, null
  br i1 %76, label %85, label %77

77:
  %78 = getelementptr inbounds nuw i8, ptr %75, i64 48
  %79 = load i32, ptr %78, align 8
  %80 = icmp eq i32 %79, 0
  br i1 %80, label %85, label %81

81:
  %82 = tail call ptr @lm_hazard(ptr noundef nonnull %0, i32 noundef 7, i32 noundef %1, i64 noundef %60)
  %83 = getelementptr inbounds nuw i8, ptr %82, i64 32
  store i64 %65, ptr %83, align 8
  %84 = getelementptr inbounds nuw i8, ptr %82, i64 40
  store i64 %31, ptr %84, align 8
  br label %292

85:
  call void @order_access(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %66, ptr noundef nonnull %11, i64 noundef %31, i32 noundef %36, i32 noundef 0)
  %86 = getelementptr inbounds nuw i32, ptr %39, i64 %59
  %87 = load i32, ptr %86, align 4
  %88 = zext i32 %87 to i64
  br i1 %40, label %89, label %95

89:
  %90 = getelementptr inbounds nuw i32, ptr %43, i64 %59
  %91 = load i32, ptr %90, align 4
  %92 = zext i32 %91 to i64
  %93 = shl nuw i64 %92, 32
  %94 = or disjoint i64 %93, %88
  br label %100

95:
  br i1 %44, label %96, label %100

96:
  %97 = getelementptr inbounds nuw i32, ptr %48, i64 %59
  %98 = load i32, ptr %97, align 4
  %99 = zext i32 %98 to i64
  br label %142

100:
  %101 = phi i64 [ %94, %89 ], [ %88, %95 ]
  %102 = load ptr, ptr %11, align 8
  %103 = load ptr, ptr %45, align 8
  br label %106

104:
  %105 = icmp ne i64 %121, 0
  br i1 %105, label %124, label %130

106:
  %107 = phi i64 [ 0, %100 ], [ %122, %106 ]
  %108 = phi i64 [ 0, %100 ], [ %116, %106 ]
  %109 = phi i64 [ 0, %100 ], [ %121, %106 ]
  %110 = getelementptr inbounds nuw i8, ptr %102, i64 %107
  %111 = load i8, ptr %110, align 1
  %112 = zext i8 %111 to i64
  %113 = shl i64 %107, 3
  %114 = and i64 %113, 4294967288
  %115 = shl i64 %112, %114
  %116 = or i64 %115, %108
  %117 = getelementptr inbounds nuw i8, ptr %103, i64 %107
  %118 = load i8, ptr %117, align 1
  %119 = zext i8 %118 to i64
  %120 = shl i64 %119, %114
  %121 = or i64 %120, %109
  %122 = add nuw nsw i64 %107, 1
  %123 = icmp eq i64 %122, %31
  br i1 %123, label %104, label %106

124:
  %125 = load ptr, ptr %24, align 8
  %126 = getelementptr inbounds nuw i8, ptr %125, i64 128
  %127 = load i64, ptr %126, align 8
  %128 = icmp eq i64 %127, 0
  br i1 %128, label %129, label %130

129:
  store i32 2, ptr %46, align 4
  br label %130

130:
  %131 = phi i64 [ 0, %104 ], [ %121, %129 ], [ %121, %124 ]
  %132 = and i64 %101, 4294967295
  %133 = getelementptr inbounds nuw i32, ptr %48, i64 %59
  %134 = load i32, ptr %133, align 4
  %135 = zext i32 %134 to i64
  br i1 %40, label %136, label %142

136:
  %137 = getelementptr inbounds nuw i32, ptr %51, i64 %59
  %138 = load i32, ptr %137, align 4
  %139 = zext i32 %138 to i64
  %140 = shl nuw i64 %139, 32
  %141 = or disjoint i64 %140, %135
  br label %142

142:
  %143 = phi i64 [ %101, %136 ], [ %132, %130 ], [ %88, %96 ]
  %144 = phi i64 [ %101, %136 ], [ %101, %130 ], [ %88, %96 ]
  %145 = phi i64 [ %131, %136 ], [ %131, %130 ], [ 0, %96 ]
  %146 = phi i64 [ %116, %136 ], [ %116, %130 ], [ 0, %96 ]
  %147 = phi i1 [ %105, %136 ], [ %105, %130 ], [ false, %96 ]
  %148 = phi i64 [ %141, %136 ], [ %135, %130 ], [ %99, %96 ]
  switch i32 %8, label %220 [
    i32 0, label %149
    i32 1, label %151
    i32 2, label %153
    i32 3, label %155
    i32 4, label %164
    i32 5, label %173
    i32 6, label %175
    i32 7, label %177
    i32 8, label %179
    i32 9, label %181
    i32 10, label %183
    i32 11, label %187
    i32 12, label %221
    i32 13, label %190
    i32 14, label %193
    i32 15, label %194
    i32 16, label %207
  ]

149:
  %150 = add i64 %146, %143
  br label %221

151:
  %152 = sub i64 %146, %143
  br label %221

153:
  %154 = sub i64 %143, %146
  br label %221

155:
  %156 = shl i64 %146, 32
  %157 = ashr exact i64 %156, 32
  %158 = select i1 %40, i64 %146, i64 %157
  %159 = shl i64 %143, 32
  %160 = ashr exact i64 %159, 32
  %161 = select i1 %40, i64 %144, i64 %160
  %162 = icmp slt i64 %158, %161
  %163 = select i1 %162, i64 %146, i64 %143
  br label %221

164:
  %165 = shl i64 %146, 32
  %166 = ashr exact i64 %165, 32
  %167 = select i1 %40, i64 %146, i64 %166
  %168 = shl i64 %143, 32
  %169 = ashr exact i64 %168, 32
  %170 = select i1 %40, i64 %144, i64 %169
  %171 = icmp sgt i64 %167, %170
  %172 = select i1 %171, i64 %146, i64 %143
  br label %221

173:
  %174 = tail call i64 @llvm.umin.i64(i64 %146, i64 %143)
  br label %221

175:
  %176 = tail call i64 @llvm.umax.i64(i64 %146, i64 %143)
  br label %221

177:
  %178 = and i64 %146, %143
  br label %221

179:
  %180 = or i64 %146, %143
  br label %221

181:
  %182 = xor i64 %146, %143
  br label %221

183:
  %184 = icmp ult i64 %146, %143
  %185 = add nuw i64 %146, 1
  %186 = select i1 %184, i64 %185, i64 0
  br label %221

187:
  %188 = add i64 %146, -1
  %189 = tail call i64 @llvm.umin.i64(i64 %188, i64 %143)
  br label %221

190:
  %191 = icmp eq i64 %146, %148
  %192 = select i1 %191, i64 %143, i64 %146
  br label %221

193:
  br i1 %40, label %228, label %236

194:
  %195 = trunc i64 %143 to i32
  %196 = bitcast i64 %143 to double
  %197 = bitcast i32 %195 to float
  %198 = fpext float %197 to double
  %199 = select i1 %40, double %196, double %198
  %200 = trunc i64 %146 to i32
  %201 = bitcast i64 %146 to double
  %202 = bitcast i32 %200 to float
  %203 = fpext float %202 to double
  %204 = select i1 %40, double %201, double %203
  %205 = fcmp olt double %199, %204
  %206 = select i1 %205, i64 %143, i64 %146
  br label %221

207:
  %208 = trunc i64 %143 to i32
  %209 = bitcast i64 %143 to double
  %210 = bitcast i32 %208 to float
  %211 = fpext float %210 to double
  %212 = select i1 %40, double %209, double %211
  %213 = trunc i64 %146 to i32
  %214 = bitcast i64 %146 to double
  %215 = bitcast i32 %213 to float
  %216 = fpext float %215 to double
  %217 = select i1 %40, double %214, double %216
  %218 = fcmp ogt double %212, %217
  %219 = select i1 %218, i64 %143, i64 %146
  br label %221

220:
  br label %221

221:
  %222 = phi i64 [ %146, %220 ], [ %150, %149 ], [ %152, %151 ], [ %154, %153 ], [ %163, %155 ], [ %172, %164 ], [ %174, %173 ], [ %176, %175 ], [ %178, %177 ], [ %180, %179 ], [ %182, %181 ], [ %186, %183 ], [ %189, %187 ], [ %219, %207 ], [ %192, %190 ], [ %143, %142 ], [ %206, %194 ]
  %223 = and i64 %222, 4294967295
  %224 = select i1 %40, i64 %222, i64 %223
  %225 = getelementptr inbounds nuw i32, ptr %53, i64 %59
  %226 = load i32, ptr %225, align 4
  %227 = icmp eq i32 %226, 0
  br i1 %227, label %247, label %259

228:
  %229 = bitcast i64 %146 to double
  %230 = bitcast i64 %144 to double
  %231 = fadd double %230, %229
  %232 = bitcast double %231 to i64
  %233 = getelementptr inbounds nuw i32, ptr %53, i64 %59
  %234 = load i32, ptr %233, align 4
  %235 = icmp eq i32 %234, 0
  br i1 %235, label %248, label %266

236:
  %237 = trunc i64 %146 to i32
  %238 = bitcast i32 %237 to float
  %239 = trunc i64 %144 to i32
  %240 = bitcast i32 %239 to float
  %241 = fadd float %240, %238
  %242 = bitcast float %241 to i32
  %243 = zext i32 %242 to i64
  %244 = getelementptr inbounds nuw i32, ptr %53, i64 %59
  %245 = load i32, ptr %244, align 4
  %246 = icmp eq i32 %245, 0
  br i1 %246, label %254, label %259

247:
  br i1 %40, label %248, label %254

248:
  %249 = phi i64 [ %222, %247 ], [ %232, %228 ]
  %250 = phi ptr [ %225, %247 ], [ %233, %228 ]
  %251 = getelementptr inbounds nuw i32, ptr %54, i64 %59
  %252 = load i32, ptr %251, align 4
  %253 = icmp eq i32 %252, 0
  br i1 %253, label %254, label %266

254:
  %255 = phi i64 [ %223, %247 ], [ %249, %248 ], [ %243, %236 ]
  %256 = phi ptr [ %225, %247 ], [ %250, %248 ], [ %244, %236 ]
  %257 = and i1 %55, %147
  %258 = sext i1 %257 to i8
  br label %259

259:
  %260 = phi ptr [ %244, %236 ], [ %225, %221 ], [ %256, %254 ]
  %261 = phi i64 [ %243, %236 ], [ %224, %221 ], [ %255, %254 ]
  %262 = phi i8 [ -1, %236 ], [ -1, %221 ], [ %258, %254 ]
  br i1 %44, label %263, label %266

263:
  %264 = trunc i64 %146 to i32
  store i32 %264, ptr %86, align 4
  %265 = trunc i64 %145 to i32
  store i32 %265, ptr %260, align 4
  br label %292

266:
  %267 = phi i8 [ %262, %259 ], [ -1, %228 ], [ -1, %248 ]
  %268 = phi i64 [ %261, %259 ], [ %232, %228 ], [ %249, %248 ]
  %269 = phi ptr [ %260, %259 ], [ %233, %228 ], [ %250, %248 ]
  %270 = load ptr, ptr %11, align 8
  %271 = load ptr, ptr %45, align 8
  br label %275

272:
  %273 = trunc i64 %146 to i32
  store i32 %273, ptr %86, align 4
  %274 = trunc i64 %145 to i32
  store i32 %274, ptr %269, align 4
  br i1 %40, label %285, label %292

275:
  %276 = phi i64 [ 0, %266 ], [ %283, %275 ]
  %277 = shl i64 %276, 3
  %278 = and i64 %277, 4294967288
  %279 = lshr i64 %268, %278
  %280 = trunc i64 %279 to i8
  %281 = getelementptr inbounds nuw i8, ptr %270, i64 %276
  store i8 %280, ptr %281, align 1
  %282 = getelementptr inbounds nuw i8, ptr %271, i64 %276
  store i8 %267, ptr %282, align 1
  %283 = add nuw nsw i64 %276, 1
  %284 = icmp eq i64 %283, %31
  br i1 %284, label %272, label %275

285:
  %286 = lshr i64 %146, 32
  %287 = trunc nuw i64 %286 to i32
  %288 = getelementptr inbounds nuw i32, ptr %43, i64 %59
  store i32 %287, ptr %288, align 4
  %289 = lshr i64 %145, 32
  %290 = trunc nuw i64 %289 to i32
  %291 = getelementptr inbounds nuw i32, ptr %54, i64 %59
  store i32 %290, ptr %291, align 4
  br label %292

292:
  call void @llvm.lifetime.end.p0(ptr nonnull %11)
  %293 = load ptr, ptr %24, align 8
  br label %294

294:
  %295 = phi ptr [ %293, %292 ], [ %58, %57 ]
  %296 = add nuw nsw i64 %59, 1
  %297 = getelementptr inbounds nuw i8, ptr %295, i64 108
  %298 = load i32, ptr %297, align 4
  %299 = zext i32 %298 to i64
  %300 = icmp samesign ult i64 %296, %299
  br i1 %300, label %57, label %56
}

declare void @llvm.lifetime.start.p0(ptr captures(none))

define range(i32 0, 2) i32 @resolve(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i64 noundef %4, ptr noundef writeonly captures(none) initializes((24, 32), (40, 44)) %5) local_unnamed_addr {
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %8 = load ptr, ptr %7, align 8
  %9 = icmp eq i32 %1, 3
  br i1 %9, label %10, label %30

10:
  %11 = lshr i64 %3, 32
  %12 = getelementptr inbounds nuw i8, ptr %8, i64 112
  %13 = load i64, ptr %12, align 8
  %14 = icmp eq i64 %11, %13
  br i1 %14, label %15, label %19

15:
  %16 = and i64 %3, 4294967295
  %17 = getelementptr inbounds nuw i8, ptr %5, i64 40
  store i32 1, ptr %17, align 8
  %18 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store ptr null, ptr %18, align 8
  br label %33

19:
  %20 = getelementptr inbounds nuw i8, ptr %8, i64 120
  %21 = load i64, ptr %20, align 8
  %22 = icmp eq i64 %11, %21
  br i1 %22, label %26, label %23

23:
  %24 = getelementptr inbounds nuw i8, ptr %5, i64 40
  store i32 0, ptr %24, align 8
  %25 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store ptr null, ptr %25, align 8
  br label %77

26:
  %27 = and i64 %3, 4294967295
  %28 = getelementptr inbounds nuw i8, ptr %5, i64 40
  store i32 2, ptr %28, align 8
  %29 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store ptr null, ptr %29, align 8
  br label %56

30:
  %31 = getelementptr inbounds nuw i8, ptr %5, i64 40
  store i32 %1, ptr %31, align 8
  %32 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store ptr null, ptr %32, align 8
  switch i32 %1, label %77 [
    i32 1, label %33
    i32 2, label %56
  ]

33:
  %34 = phi i64 [ %16, %15 ], [ %3, %30 ]
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %36 = load ptr, ptr %35, align 8
  %37 = getelementptr inbounds nuw i8, ptr %36, i64 336
  %38 = load i64, ptr %37, align 8
  %39 = sub i64 %34, %38
  %40 = getelementptr inbounds nuw i8, ptr %36, i64 328
  %41 = load i64, ptr %40, align 8
  %42 = icmp ugt i64 %39, %41
  %43 = sub nuw i64 %41, %39
  %44 = icmp ugt i64 %4, %43
  %45 = select i1 %42, i1 true, i1 %44
  br i1 %45, label %147, label %46

46:
  %47 = getelementptr inbounds nuw i8, ptr %5, i64 32
  store i64 %39, ptr %47, align 8
  %48 = getelementptr inbounds nuw i8, ptr %36, i64 288
  %49 = load ptr, ptr %48, align 8
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 %39
  store ptr %50, ptr %5, align 8
  %51 = getelementptr inbounds nuw i8, ptr %36, i64 296
  %52 = load ptr, ptr %51, align 8
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 %39
  %54 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store ptr %53, ptr %54, align 8
  %55 = getelementptr inbounds nuw i8, ptr %36, i64 304
  br label %138

56:
  %57 = phi i64 [ %27, %26 ], [ %3, %30 ]
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %59 = load i64, ptr %58, align 8
  %60 = icmp ugt i64 %57, %59
  %61 = sub nuw i64 %59, %57
  %62 = icmp ugt i64 %4, %61
  %63 = select i1 %60, i1 true, i1 %62
  br i1 %63, label %147, label %64

64:
  %65 = zext i32 %2 to i64
  %66 = mul i64 %59, %65
  %67 = add i64 %66, %57
  %68 = getelementptr inbounds nuw i8, ptr %5, i64 32
  store i64 %67, ptr %68, align 8
  %69 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %70 = load ptr, ptr %69, align 8
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 %67
  store ptr %71, ptr %5, align 8
  %72 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %73 = load ptr, ptr %72, align 8
  %74 = getelementptr inbounds nuw i8, ptr %73, i64 %67
  %75 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store ptr %74, ptr %75, align 8
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 128
  br label %138

77:
  %78 = phi ptr [ %25, %23 ], [ %32, %30 ]
  %79 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %80 = load i64, ptr %79, align 8
  %81 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %82 = load i64, ptr %81, align 8
  %83 = icmp ult i64 %80, %82
  br i1 %83, label %84, label %92

84:
  %85 = load ptr, ptr %8, align 8
  %86 = getelementptr inbounds nuw %struct.Region, ptr %85, i64 %80
  %87 = load i64, ptr %86, align 8
  %88 = sub i64 %3, %87
  %89 = getelementptr inbounds nuw i8, ptr %86, i64 8
  %90 = load i64, ptr %89, align 8
  %91 = icmp ult i64 %88, %90
  br i1 %91, label %120, label %94

92:
  %93 = icmp eq i64 %82, 0
  br i1 %93, label %147, label %94

94:
  %95 = load ptr, ptr %8, align 8
  br label %96

96:
  %97 = phi i64 [ %82, %94 ], [ %106, %96 ]
  %98 = phi i64 [ 0, %94 ], [ %105, %96 ]
  %99 = add i64 %97, %98
  %100 = lshr i64 %99, 1
  %101 = getelementptr inbounds nuw %struct.Region, ptr %95, i64 %100
  %102 = load i64, ptr %101, align 8
  %103 = icmp ugt i64 %102, %3
  %104 = add nuw i64 %100, 1
  %105 = select i1 %103, i64 %98, i64 %104
  %106 = select i1 %103, i64 %100, i64 %97
  %107 = icmp ult i64 %105, %106
  br i1 %107, label %96, label %108

108:
  %109 = icmp eq i64 %105, 0
  br i1 %109, label %147, label %110

110:
  %111 = add i64 %105, -1
  %112 = load ptr, ptr %8, align 8
  %113 = getelementptr inbounds nuw %struct.Region, ptr %112, i64 %111
  %114 = load i64, ptr %113, align 8
  %115 = sub i64 %3, %114
  %116 = getelementptr inbounds nuw i8, ptr %113, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = icmp ult i64 %115, %117
  br i1 %118, label %119, label %147

119:
  store i64 %111, ptr %79, align 8
  br label %120

120:
  %121 = phi i64 [ %115, %119 ], [ %88, %84 ]
  %122 = phi i64 [ %117, %119 ], [ %90, %84 ]
  %123 = phi ptr [ %112, %119 ], [ %85, %84 ]
  %124 = phi i64 [ %111, %119 ], [ %80, %84 ]
  %125 = sub i64 %122, %121
  %126 = icmp ugt i64 %4, %125
  br i1 %126, label %147, label %127

127:
  %128 = getelementptr inbounds nuw %struct.Region, ptr %123, i64 %124
  store ptr %128, ptr %78, align 8
  %129 = getelementptr inbounds nuw i8, ptr %5, i64 32
  store i64 %121, ptr %129, align 8
  %130 = getelementptr inbounds nuw i8, ptr %128, i64 16
  %131 = load ptr, ptr %130, align 8
  %132 = getelementptr inbounds nuw i8, ptr %131, i64 %121
  store ptr %132, ptr %5, align 8
  %133 = getelementptr inbounds nuw i8, ptr %128, i64 24
  %134 = load ptr, ptr %133, align 8
  %135 = getelementptr inbounds nuw i8, ptr %134, i64 %121
  %136 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store ptr %135, ptr %136, align 8
  %137 = getelementptr inbounds nuw i8, ptr %128, i64 40
  br label %138

138:
  %139 = phi ptr [ %137, %127 ], [ %55, %46 ], [ %76, %64 ]
  %140 = phi i64 [ %121, %127 ], [ %39, %46 ], [ %67, %64 ]
  %141 = load ptr, ptr %139, align 8
  %142 = icmp eq ptr %141, null
  %143 = lshr i64 %140, 2
  %144 = getelementptr inbounds nuw i32, ptr %141, i64 %143
  %145 = select i1 %142, ptr null, ptr %144
  %146 = getelementptr inbounds nuw i8, ptr %5, i64 16
  store ptr %145, ptr %146, align 8
  br label %147

147:
  %148 = phi i32 [ 0, %56 ], [ 0, %33 ], [ 0, %110 ], [ 0, %108 ], [ 0, %120 ], [ 0, %92 ], [ 1, %138 ]
  ret i32 %148
}

define void @out_of_bounds(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i64 noundef %4, i64 noundef %5) local_unnamed_addr {
  %7 = zext nneg i32 %3 to i64
  %8 = shl nuw i64 1, %7
  %9 = tail call ptr @lm_hazard(ptr noundef %0, i32 noundef 1, i32 noundef %1, i64 noundef %8)
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 84
  store i32 %2, ptr %10, align 4
  %11 = getelementptr inbounds nuw i8, ptr %9, i64 32
  store i64 %4, ptr %11, align 8
  %12 = getelementptr inbounds nuw i8, ptr %9, i64 40
  store i64 %5, ptr %12, align 8
  ret void
}

define void @misaligned(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i64 noundef %4, i64 noundef %5) local_unnamed_addr {
  %7 = zext nneg i32 %3 to i64
  %8 = shl nuw i64 1, %7
  %9 = tail call ptr @lm_hazard(ptr noundef %0, i32 noundef 2, i32 noundef %1, i64 noundef %8)
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 84
  store i32 %2, ptr %10, align 4
  %11 = getelementptr inbounds nuw i8, ptr %9, i64 32
  store i64 %4, ptr %11, align 8
  %12 = getelementptr inbounds nuw i8, ptr %9, i64 40
  store i64 %5, ptr %12, align 8
  ret void
}

define noundef ptr @lm_hazard(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 104
  %8 = load i32, ptr %7, align 8
  %9 = icmp eq i32 %8, 0
  %10 = getelementptr inbounds nuw i8, ptr %6, i64 24
  br i1 %9, label %11, label %17

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 52
  store i32 1, ptr %12, align 4
  %13 = load i64, ptr %10, align 8
  %14 = icmp eq i64 %13, 0
  br i1 %14, label %15, label %78

15:
  %16 = getelementptr inbounds nuw i8, ptr %6, i64 24
  br label %40

17:
  %18 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %19 = load i64, ptr %18, align 8
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %40, label %21

21:
  %22 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %23 = load ptr, ptr %22, align 8
  br label %24

24:
  %25 = phi i64 [ 0, %21 ], [ %38, %37 ]
  %26 = getelementptr inbounds nuw %struct.HazardRecord, ptr %23, i64 %25
  %27 = load i32, ptr %26, align 8
  %28 = icmp eq i32 %27, %1
  br i1 %28, label %29, label %37

29:
  %30 = getelementptr inbounds nuw i8, ptr %26, i64 4
  %31 = load i32, ptr %30, align 4
  %32 = icmp eq i32 %31, %2
  br i1 %32, label %33, label %37

33:
  %34 = getelementptr inbounds nuw i8, ptr %26, i64 88
  %35 = load i32, ptr %34, align 8
  %36 = add i32 %35, 1
  store i32 %36, ptr %34, align 8
  br label %78

37:
  %38 = add nuw i64 %25, 1
  %39 = icmp eq i64 %38, %19
  br i1 %39, label %40, label %24

40:
  %41 = phi ptr [ %16, %15 ], [ %10, %17 ], [ %10, %37 ]
  %42 = phi i64 [ 0, %15 ], [ 0, %17 ], [ %19, %37 ]
  %43 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %44 = load i64, ptr %43, align 8
  %45 = icmp eq i64 %42, %44
  br i1 %45, label %78, label %46

46:
  %47 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %48 = load ptr, ptr %47, align 8
  %49 = add i64 %42, 1
  store i64 %49, ptr %41, align 8
  %50 = getelementptr inbounds nuw %struct.HazardRecord, ptr %48, i64 %42
  %51 = getelementptr inbounds nuw i8, ptr %50, i64 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(88) %51, i8 0, i64 88, i1 false)
  store i32 %1, ptr %50, align 8
  %52 = getelementptr inbounds nuw i8, ptr %50, i64 4
  store i32 %2, ptr %52, align 4
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %54 = load i32, ptr %53, align 8
  %55 = getelementptr inbounds nuw i8, ptr %50, i64 8
  store i32 %54, ptr %55, align 8
  %56 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %57 = load ptr, ptr %56, align 8
  %58 = load i64, ptr %57, align 8
  %59 = getelementptr inbounds nuw i8, ptr %6, i64 88
  %60 = load i64, ptr %59, align 8
  %61 = sub i64 %58, %60
  %62 = getelementptr inbounds nuw i8, ptr %50, i64 16
  store i64 %61, ptr %62, align 8
  %63 = getelementptr inbounds nuw i8, ptr %50, i64 24
  store i64 %3, ptr %63, align 8
  br label %64

64:
  %65 = phi i64 [ 0, %46 ], [ %70, %69 ]
  %66 = shl nuw nsw i64 1, %65
  %67 = and i64 %66, %3
  %68 = icmp eq i64 %67, 0
  br i1 %68, label %69, label %72

69:
  %70 = add nuw nsw i64 %65, 1
  %71 = icmp eq i64 %70, 63
  br i1 %71, label %74, label %64

72:
  %73 = trunc nuw nsw i64 %65 to i32
  br label %74

74:
  %75 = phi i32 [ %73, %72 ], [ 63, %69 ]
  %76 = getelementptr inbounds nuw i8, ptr %50, i64 92
  store i32 %75, ptr %76, align 4
  %77 = getelementptr inbounds nuw i8, ptr %50, i64 88
  store i32 1, ptr %77, align 8
  br label %78

78:
  %79 = phi ptr [ @lm_hazard.overflow, %11 ], [ %50, %74 ], [ @lm_hazard.overflow, %33 ], [ @lm_hazard.overflow, %40 ]
  ret ptr %79
}

declare void @llvm.lifetime.end.p0(ptr captures(none))

define void @order_access(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, ptr noundef readonly captures(none) %3, i64 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr {
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %9 = load i32, ptr %8, align 8
  switch i32 %9, label %321 [
    i32 1, label %10
    i32 0, label %158
  ]

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 344
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %16 = load i64, ptr %15, align 8
  %17 = add i64 %16, %14
  %18 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %19 = load i64, ptr %18, align 8
  %20 = lshr i64 %19, 2
  %21 = add i64 %19, %4
  %22 = add i64 %21, -1
  %23 = lshr i64 %22, 2
  %24 = icmp samesign ugt i64 %20, %23
  br i1 %24, label %321, label %25

25:
  %26 = getelementptr inbounds nuw i8, ptr %12, i64 312
  %27 = getelementptr inbounds nuw i8, ptr %12, i64 320
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %29 = and i32 %5, 12
  %30 = icmp ne i32 %29, 0
  %31 = icmp ne i32 %6, 0
  %32 = and i32 %5, 5
  %33 = icmp eq i32 %32, 1
  %34 = select i1 %30, i64 -9223372036854775808, i64 0
  %35 = and i32 %5, 8
  %36 = icmp eq i32 %35, 0
  br label %37

37:
  %38 = phi i64 [ %21, %25 ], [ %154, %151 ]
  %39 = phi i64 [ %19, %25 ], [ %153, %151 ]
  %40 = phi i64 [ %20, %25 ], [ %152, %151 ]
  %41 = load ptr, ptr %26, align 8
  %42 = load ptr, ptr %27, align 8
  %43 = shl nuw i64 %40, 2
  br label %44

44:
  %45 = phi i64 [ 0, %37 ], [ %54, %44 ]
  %46 = phi i64 [ 0, %37 ], [ %53, %44 ]
  %47 = add nuw nsw i64 %45, %43
  %48 = icmp uge i64 %47, %39
  %49 = icmp ult i64 %47, %38
  %50 = and i1 %48, %49
  %51 = shl nuw nsw i64 1, %45
  %52 = select i1 %50, i64 %51, i64 0
  %53 = or i64 %52, %46
  %54 = add nuw nsw i64 %45, 1
  %55 = icmp eq i64 %54, 4
  br i1 %55, label %56, label %44

56:
  %57 = getelementptr inbounds nuw %struct.SharedGranule, ptr %41, i64 %40
  %58 = shl i64 %40, 8
  %59 = getelementptr inbounds nuw i8, ptr %42, i64 %58
  %60 = shl i64 %53, 30
  %61 = load i32, ptr %28, align 8
  %62 = zext i32 %61 to i64
  %63 = shl i64 %62, 34
  %64 = or i64 %17, %63
  %65 = or i64 %64, %60
  %66 = load i64, ptr %57, align 8
  %67 = lshr i64 %66, 34
  %68 = trunc nuw nsw i64 %67 to i32
  %69 = and i32 %68, 31
  %70 = icmp slt i64 %66, 0
  %71 = and i1 %30, %70
  %72 = or i1 %31, %71
  %73 = and i64 %66, %60
  %74 = icmp eq i64 %73, 0
  %75 = select i1 %72, i1 true, i1 %74
  br i1 %75, label %94, label %76

76:
  %77 = load ptr, ptr %11, align 8
  %78 = and i64 %66, 1073741823
  %79 = icmp eq i32 %69, %61
  br i1 %79, label %94, label %80

80:
  %81 = getelementptr inbounds nuw i8, ptr %77, i64 344
  %82 = load i64, ptr %81, align 8
  %83 = icmp ugt i64 %78, %82
  br i1 %83, label %84, label %94

84:
  %85 = sub nuw nsw i64 %78, %82
  %86 = getelementptr inbounds nuw [2 x [32 x i64]], ptr %77, i64 %62
  %87 = getelementptr inbounds nuw i8, ptr %86, i64 608
  %88 = and i64 %67, 31
  %89 = getelementptr inbounds nuw i64, ptr %87, i64 %88
  %90 = load i64, ptr %89, align 8
  %91 = icmp ugt i64 %85, %90
  br i1 %91, label %92, label %94

92:
  %93 = load i64, ptr %12, align 8
  tail call fastcc void @conflict(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2, ptr noundef nonnull readonly %3, i64 noundef %40, i32 noundef %5, i32 noundef 2, i64 noundef %93, i32 noundef %69)
  br label %94

94:
  br i1 %33, label %95, label %104

95:
  br i1 %36, label %96, label %151

96:
  %97 = load i32, ptr %28, align 8
  %98 = shl nuw i32 1, %97
  %99 = getelementptr inbounds nuw i8, ptr %57, i64 8
  %100 = load i32, ptr %99, align 8
  %101 = or i32 %100, %98
  store i32 %101, ptr %99, align 8
  %102 = zext i32 %97 to i64
  %103 = getelementptr inbounds nuw i64, ptr %59, i64 %102
  store i64 %65, ptr %103, align 8
  br label %151

104:
  br i1 %31, label %143, label %105

105:
  %106 = getelementptr inbounds nuw i8, ptr %57, i64 8
  %107 = load i32, ptr %106, align 8
  %108 = icmp eq i32 %107, 0
  br i1 %108, label %148, label %109

109:
  %110 = phi i64 [ %140, %139 ], [ 0, %105 ]
  %111 = phi i32 [ %141, %139 ], [ %107, %105 ]
  %112 = and i32 %111, 1
  %113 = icmp eq i32 %112, 0
  br i1 %113, label %139, label %114

114:
  %115 = getelementptr inbounds nuw i64, ptr %59, i64 %110
  %116 = load i64, ptr %115, align 8
  %117 = and i64 %116, %60
  %118 = icmp eq i64 %117, 0
  br i1 %118, label %139, label %119

119:
  %120 = load ptr, ptr %11, align 8
  %121 = and i64 %116, 1073741823
  %122 = load i32, ptr %28, align 8
  %123 = zext i32 %122 to i64
  %124 = icmp eq i64 %110, %123
  br i1 %124, label %139, label %125

125:
  %126 = getelementptr inbounds nuw i8, ptr %120, i64 344
  %127 = load i64, ptr %126, align 8
  %128 = icmp ugt i64 %121, %127
  br i1 %128, label %129, label %139

129:
  %130 = sub nuw nsw i64 %121, %127
  %131 = getelementptr inbounds nuw [2 x [32 x i64]], ptr %120, i64 %123
  %132 = getelementptr inbounds nuw i8, ptr %131, i64 608
  %133 = getelementptr inbounds nuw i64, ptr %132, i64 %110
  %134 = load i64, ptr %133, align 8
  %135 = icmp ugt i64 %130, %134
  br i1 %135, label %136, label %139

136:
  %137 = load i64, ptr %12, align 8
  %138 = trunc nuw nsw i64 %110 to i32
  tail call fastcc void @conflict(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2, ptr noundef readonly %3, i64 noundef %40, i32 noundef %5, i32 noundef 1, i64 noundef %137, i32 noundef %138)
  br label %139

139:
  %140 = add nuw nsw i64 %110, 1
  %141 = lshr i32 %111, 1
  %142 = icmp eq i32 %141, 0
  br i1 %142, label %148, label %109

143:
  %144 = load i64, ptr %57, align 8
  %145 = and i64 %144, 1073741823
  %146 = load i64, ptr %13, align 8
  %147 = icmp ugt i64 %145, %146
  br i1 %147, label %151, label %148

148:
  %149 = getelementptr inbounds nuw i8, ptr %57, i64 8
  store i32 0, ptr %149, align 8
  %150 = or i64 %65, %34
  store i64 %150, ptr %57, align 8
  br label %151

151:
  %152 = add nuw nsw i64 %40, 1
  %153 = load i64, ptr %18, align 8
  %154 = add i64 %153, %4
  %155 = add i64 %154, -1
  %156 = lshr i64 %155, 2
  %157 = icmp samesign ult i64 %40, %156
  br i1 %157, label %37, label %321

158:
  %159 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %160 = load ptr, ptr %159, align 8
  %161 = load i64, ptr %160, align 8
  %162 = shl i64 %161, 40
  %163 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %164 = load i32, ptr %163, align 8
  %165 = zext i32 %164 to i64
  %166 = shl i64 %165, 34
  %167 = or i64 %166, %162
  %168 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %169 = load i64, ptr %168, align 8
  %170 = lshr i64 %169, 2
  %171 = add i64 %169, %4
  %172 = add i64 %171, -1
  %173 = lshr i64 %172, 2
  %174 = icmp samesign ugt i64 %170, %173
  br i1 %174, label %321, label %175

175:
  %176 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %177 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %178 = and i32 %5, 12
  %179 = icmp ne i32 %178, 0
  %180 = icmp ne i32 %6, 0
  %181 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %182 = and i32 %5, 5
  %183 = icmp eq i32 %182, 1
  %184 = select i1 %179, i64 -9223372036854775808, i64 0
  %185 = and i32 %5, 8
  %186 = icmp eq i32 %185, 0
  br label %187

187:
  %188 = phi i64 [ %171, %175 ], [ %317, %314 ]
  %189 = phi i64 [ %169, %175 ], [ %316, %314 ]
  %190 = phi i64 [ %170, %175 ], [ %315, %314 ]
  %191 = load ptr, ptr %176, align 8
  %192 = getelementptr inbounds nuw i8, ptr %191, i64 32
  %193 = load ptr, ptr %192, align 8
  %194 = shl nuw i64 %190, 2
  br label %195

195:
  %196 = phi i64 [ 0, %187 ], [ %205, %195 ]
  %197 = phi i64 [ 0, %187 ], [ %204, %195 ]
  %198 = add nuw nsw i64 %196, %194
  %199 = icmp uge i64 %198, %189
  %200 = icmp ult i64 %198, %188
  %201 = and i1 %199, %200
  %202 = shl nuw nsw i64 1, %196
  %203 = select i1 %201, i64 %202, i64 0
  %204 = or i64 %203, %197
  %205 = add nuw nsw i64 %196, 1
  %206 = icmp eq i64 %205, 4
  br i1 %206, label %207, label %195

207:
  %208 = getelementptr inbounds nuw %struct.Granule, ptr %193, i64 %190
  %209 = shl i64 %204, 30
  %210 = load i64, ptr %177, align 8
  %211 = or i64 %167, %210
  %212 = or i64 %211, %209
  %213 = load i64, ptr %208, align 8
  %214 = icmp slt i64 %213, 0
  %215 = and i1 %179, %214
  %216 = select i1 %180, i1 true, i1 %215
  %217 = and i64 %213, %209
  %218 = icmp eq i64 %217, 0
  %219 = select i1 %216, i1 true, i1 %218
  br i1 %219, label %249, label %220

220:
  %221 = load ptr, ptr %159, align 8
  %222 = icmp eq i64 %213, 0
  br i1 %222, label %249, label %223

223:
  %224 = lshr i64 %213, 40
  %225 = and i64 %224, 8388607
  %226 = load ptr, ptr %181, align 8
  %227 = getelementptr inbounds nuw i8, ptr %226, i64 88
  %228 = load i64, ptr %227, align 8
  %229 = icmp ult i64 %225, %228
  br i1 %229, label %249, label %230

230:
  %231 = load i64, ptr %221, align 8
  %232 = icmp eq i64 %225, %231
  %233 = lshr i64 %213, 34
  %234 = trunc nuw nsw i64 %233 to i32
  %235 = and i32 %234, 63
  br i1 %232, label %236, label %248

236:
  %237 = load i32, ptr %163, align 8
  %238 = icmp eq i32 %235, %237
  br i1 %238, label %249, label %239

239:
  %240 = and i64 %213, 1073741823
  %241 = getelementptr inbounds nuw i8, ptr %221, i64 352
  %242 = zext i32 %237 to i64
  %243 = getelementptr inbounds nuw [2 x [32 x i64]], ptr %241, i64 %242
  %244 = and i64 %233, 63
  %245 = getelementptr inbounds nuw i64, ptr %243, i64 %244
  %246 = load i64, ptr %245, align 8
  %247 = icmp ugt i64 %240, %246
  br i1 %247, label %248, label %249

248:
  tail call fastcc void @conflict(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2, ptr noundef nonnull readonly %3, i64 noundef %190, i32 noundef %5, i32 noundef 2, i64 noundef %225, i32 noundef %235)
  br label %249

249:
  br i1 %183, label %250, label %263

250:
  br i1 %186, label %251, label %314

251:
  %252 = getelementptr inbounds nuw i8, ptr %208, i64 8
  %253 = load i64, ptr %252, align 8
  %254 = xor i64 %253, %212
  %255 = icmp ult i64 %254, 17179869184
  br i1 %255, label %256, label %259

256:
  %257 = and i64 %253, 16106127360
  %258 = or i64 %257, %212
  br label %261

259:
  %260 = getelementptr inbounds nuw i8, ptr %208, i64 16
  store i64 %253, ptr %260, align 8
  br label %261

261:
  %262 = phi i64 [ %212, %259 ], [ %258, %256 ]
  store i64 %262, ptr %252, align 8
  br label %314

263:
  br i1 %180, label %264, label %270

264:
  %265 = load i64, ptr %208, align 8
  %266 = icmp eq i64 %265, 0
  br i1 %266, label %267, label %314

267:
  %268 = getelementptr inbounds nuw i8, ptr %208, i64 8
  %269 = getelementptr inbounds nuw i8, ptr %208, i64 16
  br label %310

270:
  %271 = getelementptr inbounds nuw i8, ptr %208, i64 8
  %272 = load i64, ptr %271, align 8
  %273 = getelementptr inbounds nuw i8, ptr %208, i64 16
  %274 = load i64, ptr %273, align 8
  br label %275

275:
  %276 = phi i1 [ true, %270 ], [ false, %309 ]
  %277 = phi i64 [ %272, %270 ], [ %274, %309 ]
  %278 = and i64 %277, %209
  %279 = icmp eq i64 %278, 0
  br i1 %279, label %309, label %280

280:
  %281 = load ptr, ptr %159, align 8
  %282 = icmp eq i64 %277, 0
  br i1 %282, label %309, label %283

283:
  %284 = lshr i64 %277, 40
  %285 = and i64 %284, 8388607
  %286 = load ptr, ptr %181, align 8
  %287 = getelementptr inbounds nuw i8, ptr %286, i64 88
  %288 = load i64, ptr %287, align 8
  %289 = icmp ult i64 %285, %288
  br i1 %289, label %309, label %290

290:
  %291 = load i64, ptr %281, align 8
  %292 = icmp eq i64 %285, %291
  %293 = lshr i64 %277, 34
  %294 = trunc nuw nsw i64 %293 to i32
  %295 = and i32 %294, 63
  br i1 %292, label %296, label %308

296:
  %297 = load i32, ptr %163, align 8
  %298 = icmp eq i32 %295, %297
  br i1 %298, label %309, label %299

299:
  %300 = and i64 %277, 1073741823
  %301 = getelementptr inbounds nuw i8, ptr %281, i64 352
  %302 = zext i32 %297 to i64
  %303 = getelementptr inbounds nuw [2 x [32 x i64]], ptr %301, i64 %302
  %304 = and i64 %293, 63
  %305 = getelementptr inbounds nuw i64, ptr %303, i64 %304
  %306 = load i64, ptr %305, align 8
  %307 = icmp ugt i64 %300, %306
  br i1 %307, label %308, label %309

308:
  tail call fastcc void @conflict(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2, ptr noundef readonly %3, i64 noundef %190, i32 noundef %5, i32 noundef 1, i64 noundef %285, i32 noundef %295)
  br label %310

309:
  br i1 %276, label %275, label %310

310:
  %311 = phi ptr [ %269, %267 ], [ %273, %308 ], [ %273, %309 ]
  %312 = phi ptr [ %268, %267 ], [ %271, %308 ], [ %271, %309 ]
  store i64 0, ptr %311, align 8
  store i64 0, ptr %312, align 8
  %313 = or i64 %212, %184
  store i64 %313, ptr %208, align 8
  br label %314

314:
  %315 = add nuw nsw i64 %190, 1
  %316 = load i64, ptr %168, align 8
  %317 = add i64 %316, %4
  %318 = add i64 %317, -1
  %319 = lshr i64 %318, 2
  %320 = icmp samesign ult i64 %190, %319
  br i1 %320, label %187, label %321

321:
  ret void
}

define i32 @lm_goto(ptr noundef captures(none) initializes((0, 4)) %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  store i32 %1, ptr %0, align 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 9624
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %12

7:
  store i32 1, ptr %4, align 4
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = load i64, ptr %8, align 8
  %10 = trunc i64 %9 to i32
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 9628
  store i32 %10, ptr %11, align 4
  br label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 9616
  %14 = tail call fastcc i32 @turn(ptr noundef nonnull %0, ptr noundef nonnull %13, i32 noundef %2)
  ret i32 %14
}

define internal fastcc i32 @turn(ptr noundef captures(none) %0, ptr noundef captures(none) %1, i32 noundef %2) unnamed_addr {
  %4 = icmp eq i32 %2, 0
  br i1 %4, label %10, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %7 = load i32, ptr %6, align 4
  %8 = add i32 %7, 1
  store i32 %8, ptr %6, align 4
  %9 = icmp ult i32 %8, 256
  br i1 %9, label %10, label %12

10:
  %11 = tail call fastcc i32 @settle(ptr noundef %0, ptr noundef %1)
  br label %93

12:
  store i32 0, ptr %6, align 4
  br label %17

13:
  %14 = icmp eq i32 %25, 0
  br i1 %14, label %15, label %48

15:
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 1040
  br label %29

17:
  %18 = phi i64 [ 0, %12 ], [ %26, %17 ]
  %19 = phi i32 [ 0, %12 ], [ %25, %17 ]
  %20 = getelementptr inbounds nuw %struct.LaneGroup, ptr %1, i64 %18
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 28
  %22 = load i32, ptr %21, align 4
  %23 = icmp eq i32 %22, 1
  %24 = zext i1 %23 to i32
  %25 = or i32 %19, %24
  %26 = add nuw nsw i64 %18, 1
  %27 = icmp eq i64 %26, 64
  br i1 %27, label %13, label %17

28:
  br i1 %40, label %44, label %48

29:
  %30 = phi i64 [ 0, %15 ], [ %41, %39 ]
  %31 = getelementptr inbounds nuw %struct.Meeting, ptr %16, i64 %30
  %32 = getelementptr inbounds nuw i8, ptr %31, i64 16
  %33 = load i32, ptr %32, align 4
  %34 = icmp eq i32 %33, 0
  br i1 %34, label %39, label %35

35:
  %36 = getelementptr inbounds nuw i8, ptr %31, i64 8
  %37 = load i32, ptr %36, align 4
  %38 = icmp eq i32 %37, 0
  br label %39

39:
  %40 = phi i1 [ true, %29 ], [ %38, %35 ]
  %41 = add nuw nsw i64 %30, 1
  %42 = icmp samesign ult i64 %30, 63
  %43 = select i1 %42, i1 %40, i1 false
  br i1 %43, label %29, label %28

44:
  %45 = tail call fastcc i32 @settle(ptr noundef %0, ptr noundef nonnull %1)
  %46 = icmp eq i32 %45, 0
  %47 = select i1 %46, i32 3, i32 %45
  br label %93

48:
  %49 = load i32, ptr %0, align 8
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %51 = load i64, ptr %50, align 8
  %52 = trunc i64 %51 to i32
  %53 = load i32, ptr %1, align 4
  %54 = tail call fastcc i32 @pick(ptr noundef nonnull %0, ptr noundef nonnull %1)
  %55 = getelementptr inbounds nuw i8, ptr %1, i64 16
  br label %56

56:
  %57 = phi i64 [ 0, %48 ], [ %74, %73 ]
  %58 = getelementptr inbounds nuw %struct.LaneGroup, ptr %55, i64 %57
  %59 = getelementptr inbounds nuw i8, ptr %58, i64 12
  %60 = load i32, ptr %59, align 4
  %61 = icmp eq i32 %60, 1
  br i1 %61, label %62, label %73

62:
  %63 = load i32, ptr %58, align 4
  %64 = icmp eq i32 %63, %49
  br i1 %64, label %65, label %73

65:
  %66 = getelementptr inbounds nuw i8, ptr %58, i64 8
  %67 = load i32, ptr %66, align 4
  %68 = icmp eq i32 %67, %53
  br i1 %68, label %69, label %73

69:
  %70 = getelementptr inbounds nuw i8, ptr %58, i64 4
  %71 = load i32, ptr %70, align 4
  %72 = or i32 %71, %52
  store i32 %72, ptr %70, align 4
  br label %89

73:
  %74 = add nuw nsw i64 %57, 1
  %75 = icmp eq i64 %74, 64
  br i1 %75, label %79, label %56

76:
  %77 = add nuw nsw i64 %80, 1
  %78 = icmp eq i64 %77, 64
  br i1 %78, label %89, label %79

79:
  %80 = phi i64 [ %77, %76 ], [ 0, %73 ]
  %81 = getelementptr inbounds nuw %struct.LaneGroup, ptr %55, i64 %80
  %82 = getelementptr inbounds nuw i8, ptr %81, i64 12
  %83 = load i32, ptr %82, align 4
  %84 = icmp eq i32 %83, 0
  br i1 %84, label %85, label %76

85:
  %86 = getelementptr inbounds nuw i8, ptr %81, i64 12
  store i32 %49, ptr %81, align 4
  %87 = getelementptr inbounds nuw i8, ptr %81, i64 4
  store i32 %52, ptr %87, align 4
  %88 = getelementptr inbounds nuw i8, ptr %81, i64 8
  store i32 %53, ptr %88, align 4
  store i32 1, ptr %86, align 4
  br label %89

89:
  %90 = icmp eq i32 %54, 0
  br i1 %90, label %93, label %91

91:
  %92 = tail call fastcc i32 @pick(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %93

93:
  %94 = phi i32 [ %11, %10 ], [ %47, %44 ], [ %92, %91 ], [ 3, %89 ]
  ret i32 %94
}

define i32 @lm_branch(ptr noundef captures(none) %0, i64 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 9624
  %8 = load i32, ptr %7, align 4
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %15

10:
  store i32 1, ptr %7, align 4
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %12 = load i64, ptr %11, align 8
  %13 = trunc i64 %12 to i32
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 9628
  store i32 %13, ptr %14, align 4
  br label %15

15:
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 9616
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %18 = load i64, ptr %17, align 8
  %19 = and i64 %18, %1
  %20 = trunc i64 %19 to i32
  %21 = trunc i64 %18 to i32
  %22 = xor i32 %20, -1
  %23 = and i32 %22, %21
  %24 = icmp ne i32 %23, 0
  %25 = icmp ne i32 %20, 0
  %26 = and i1 %25, %24
  br i1 %26, label %33, label %27

27:
  %28 = select i1 %25, i32 %2, i32 %3
  store i32 %28, ptr %0, align 8
  %29 = xor i1 %25, true
  %30 = zext i1 %29 to i32
  %31 = lshr i32 %5, %30
  %32 = and i32 %31, 1
  br label %168

33:
  %34 = load i32, ptr %16, align 4
  %35 = icmp eq i32 %4, -1
  br i1 %35, label %68, label %36

36:
  %37 = icmp eq i32 %34, 0
  br i1 %37, label %45, label %38

38:
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 10656
  %40 = add i32 %34, -1
  %41 = zext i32 %40 to i64
  %42 = getelementptr inbounds nuw %struct.Meeting, ptr %39, i64 %41
  %43 = load i32, ptr %42, align 4
  %44 = icmp eq i32 %43, %4
  br i1 %44, label %68, label %45

45:
  br label %46

46:
  %47 = phi i64 [ %53, %52 ], [ 0, %45 ]
  %48 = getelementptr inbounds nuw %struct.Meeting, ptr %16, i64 %47
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 1056
  %50 = load i32, ptr %49, align 4
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %55, label %52

52:
  %53 = add nuw nsw i64 %47, 1
  %54 = icmp eq i64 %53, 63
  br i1 %54, label %57, label %46

55:
  %56 = trunc nuw nsw i64 %47 to i32
  br label %57

57:
  %58 = phi i32 [ %56, %55 ], [ 63, %52 ]
  %59 = getelementptr inbounds nuw i8, ptr %0, i64 10656
  %60 = zext nneg i32 %58 to i64
  %61 = getelementptr inbounds nuw %struct.Meeting, ptr %59, i64 %60
  %62 = or i32 %20, %21
  store i32 %4, ptr %61, align 4
  %63 = getelementptr inbounds nuw i8, ptr %61, i64 4
  store i32 %62, ptr %63, align 4
  %64 = getelementptr inbounds nuw i8, ptr %61, i64 8
  store i32 0, ptr %64, align 4
  %65 = getelementptr inbounds nuw i8, ptr %61, i64 12
  store i32 %34, ptr %65, align 4
  %66 = getelementptr inbounds nuw i8, ptr %61, i64 16
  store i32 1, ptr %66, align 4
  %67 = add nuw nsw i32 %58, 1
  br label %68

68:
  %69 = phi i32 [ %34, %38 ], [ %67, %57 ], [ %34, %33 ]
  store i32 %69, ptr %16, align 4
  %70 = and i32 %5, 1
  %71 = icmp eq i32 %70, 0
  %72 = select i1 %71, i32 %2, i32 %3
  %73 = select i1 %71, i32 %3, i32 %2
  %74 = select i1 %71, i32 %20, i32 %23
  %75 = select i1 %71, i32 %23, i32 %20
  %76 = icmp eq i32 %69, 0
  br i1 %76, label %129, label %77

77:
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 10656
  %79 = add i32 %69, -1
  %80 = zext i32 %79 to i64
  %81 = getelementptr inbounds nuw %struct.Meeting, ptr %78, i64 %80
  %82 = load i32, ptr %81, align 4
  %83 = icmp eq i32 %73, %82
  br i1 %83, label %84, label %129

84:
  %85 = getelementptr inbounds nuw i8, ptr %81, i64 8
  %86 = load i32, ptr %85, align 4
  %87 = or i32 %86, %75
  store i32 %87, ptr %85, align 4
  %88 = getelementptr inbounds nuw i8, ptr %81, i64 4
  %89 = load i32, ptr %88, align 4
  %90 = icmp eq i32 %87, %89
  br i1 %90, label %91, label %164

91:
  %92 = getelementptr inbounds nuw i8, ptr %81, i64 16
  store i32 0, ptr %92, align 4
  %93 = getelementptr inbounds nuw i8, ptr %81, i64 12
  %94 = load i32, ptr %93, align 4
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 9632
  br label %96

96:
  %97 = phi i64 [ 0, %91 ], [ %114, %113 ]
  %98 = getelementptr inbounds nuw %struct.LaneGroup, ptr %95, i64 %97
  %99 = getelementptr inbounds nuw i8, ptr %98, i64 12
  %100 = load i32, ptr %99, align 4
  %101 = icmp eq i32 %100, 1
  br i1 %101, label %102, label %113

102:
  %103 = load i32, ptr %98, align 4
  %104 = icmp eq i32 %103, %73
  br i1 %104, label %105, label %113

105:
  %106 = getelementptr inbounds nuw i8, ptr %98, i64 8
  %107 = load i32, ptr %106, align 4
  %108 = icmp eq i32 %107, %94
  br i1 %108, label %109, label %113

109:
  %110 = getelementptr inbounds nuw i8, ptr %98, i64 4
  %111 = load i32, ptr %110, align 4
  %112 = or i32 %111, %87
  store i32 %112, ptr %110, align 4
  br label %164

113:
  %114 = add nuw nsw i64 %97, 1
  %115 = icmp eq i64 %114, 64
  br i1 %115, label %119, label %96

116:
  %117 = add nuw nsw i64 %120, 1
  %118 = icmp eq i64 %117, 64
  br i1 %118, label %164, label %119

119:
  %120 = phi i64 [ %117, %116 ], [ 0, %113 ]
  %121 = getelementptr inbounds nuw %struct.LaneGroup, ptr %95, i64 %120
  %122 = getelementptr inbounds nuw i8, ptr %121, i64 12
  %123 = load i32, ptr %122, align 4
  %124 = icmp eq i32 %123, 0
  br i1 %124, label %125, label %116

125:
  %126 = getelementptr inbounds nuw i8, ptr %121, i64 12
  store i32 %73, ptr %121, align 4
  %127 = getelementptr inbounds nuw i8, ptr %121, i64 4
  store i32 %87, ptr %127, align 4
  %128 = getelementptr inbounds nuw i8, ptr %121, i64 8
  store i32 %94, ptr %128, align 4
  store i32 1, ptr %126, align 4
  br label %164

129:
  %130 = getelementptr inbounds nuw i8, ptr %0, i64 9632
  br label %131

131:
  %132 = phi i64 [ 0, %129 ], [ %149, %148 ]
  %133 = getelementptr inbounds nuw %struct.LaneGroup, ptr %130, i64 %132
  %134 = getelementptr inbounds nuw i8, ptr %133, i64 12
  %135 = load i32, ptr %134, align 4
  %136 = icmp eq i32 %135, 1
  br i1 %136, label %137, label %148

137:
  %138 = load i32, ptr %133, align 4
  %139 = icmp eq i32 %138, %73
  br i1 %139, label %140, label %148

140:
  %141 = getelementptr inbounds nuw i8, ptr %133, i64 8
  %142 = load i32, ptr %141, align 4
  %143 = icmp eq i32 %142, %69
  br i1 %143, label %144, label %148

144:
  %145 = getelementptr inbounds nuw i8, ptr %133, i64 4
  %146 = load i32, ptr %145, align 4
  %147 = or i32 %146, %75
  store i32 %147, ptr %145, align 4
  br label %164

148:
  %149 = add nuw nsw i64 %132, 1
  %150 = icmp eq i64 %149, 64
  br i1 %150, label %154, label %131

151:
  %152 = add nuw nsw i64 %155, 1
  %153 = icmp eq i64 %152, 64
  br i1 %153, label %164, label %154

154:
  %155 = phi i64 [ %152, %151 ], [ 0, %148 ]
  %156 = getelementptr inbounds nuw %struct.LaneGroup, ptr %130, i64 %155
  %157 = getelementptr inbounds nuw i8, ptr %156, i64 12
  %158 = load i32, ptr %157, align 4
  %159 = icmp eq i32 %158, 0
  br i1 %159, label %160, label %151

160:
  %161 = getelementptr inbounds nuw i8, ptr %156, i64 12
  store i32 %73, ptr %156, align 4
  %162 = getelementptr inbounds nuw i8, ptr %156, i64 4
  store i32 %75, ptr %162, align 4
  %163 = getelementptr inbounds nuw i8, ptr %156, i64 8
  store i32 %69, ptr %163, align 4
  store i32 1, ptr %161, align 4
  br label %164

164:
  %165 = zext i32 %74 to i64
  store i64 %165, ptr %17, align 8
  store i32 %72, ptr %0, align 8
  %166 = icmp ne i32 %5, 0
  %167 = zext i1 %166 to i32
  br label %168

168:
  %169 = phi i32 [ %167, %164 ], [ %32, %27 ]
  %170 = tail call fastcc i32 @turn(ptr noundef nonnull %0, ptr noundef nonnull %16, i32 noundef %169)
  ret i32 %170
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)

define i32 @lm_exit(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 9624
  %3 = load i32, ptr %2, align 4
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %8, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 9628
  %7 = load i32, ptr %6, align 4
  br label %12

8:
  store i32 1, ptr %2, align 4
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load i64, ptr %9, align 8
  %11 = trunc i64 %10 to i32
  br label %12

12:
  %13 = phi i32 [ %7, %5 ], [ %11, %8 ]
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %15 = load i64, ptr %14, align 8
  %16 = trunc i64 %15 to i32
  %17 = xor i32 %16, -1
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 9628
  %19 = and i32 %13, %17
  store i32 %19, ptr %18, align 4
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 10656
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 9632
  br label %22

22:
  %23 = phi i64 [ 0, %12 ], [ %79, %78 ]
  %24 = getelementptr inbounds nuw %struct.Meeting, ptr %20, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 16
  %26 = load i32, ptr %25, align 4
  %27 = icmp eq i32 %26, 0
  br i1 %27, label %78, label %28

28:
  %29 = getelementptr inbounds nuw i8, ptr %24, i64 4
  %30 = load i32, ptr %29, align 4
  %31 = and i32 %30, %16
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %78, label %33

33:
  %34 = and i32 %30, %17
  store i32 %34, ptr %29, align 4
  %35 = icmp eq i32 %34, 0
  br i1 %35, label %36, label %37

36:
  store i32 0, ptr %25, align 4
  br label %78

37:
  %38 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %39 = load i32, ptr %38, align 4
  %40 = icmp eq i32 %39, %34
  br i1 %40, label %41, label %78

41:
  store i32 0, ptr %25, align 4
  %42 = load i32, ptr %24, align 4
  %43 = getelementptr inbounds nuw i8, ptr %24, i64 12
  %44 = load i32, ptr %43, align 4
  br label %45

45:
  %46 = phi i64 [ 0, %41 ], [ %63, %62 ]
  %47 = getelementptr inbounds nuw %struct.LaneGroup, ptr %21, i64 %46
  %48 = getelementptr inbounds nuw i8, ptr %47, i64 12
  %49 = load i32, ptr %48, align 4
  %50 = icmp eq i32 %49, 1
  br i1 %50, label %51, label %62

51:
  %52 = load i32, ptr %47, align 4
  %53 = icmp eq i32 %52, %42
  br i1 %53, label %54, label %62

54:
  %55 = getelementptr inbounds nuw i8, ptr %47, i64 8
  %56 = load i32, ptr %55, align 4
  %57 = icmp eq i32 %56, %44
  br i1 %57, label %58, label %62

58:
  %59 = getelementptr inbounds nuw i8, ptr %47, i64 4
  %60 = load i32, ptr %59, align 4
  %61 = or i32 %60, %34
  store i32 %61, ptr %59, align 4
  br label %78

62:
  %63 = add nuw nsw i64 %46, 1
  %64 = icmp eq i64 %63, 64
  br i1 %64, label %68, label %45

65:
  %66 = add nuw nsw i64 %69, 1
  %67 = icmp eq i64 %66, 64
  br i1 %67, label %78, label %68

68:
  %69 = phi i64 [ %66, %65 ], [ 0, %62 ]
  %70 = getelementptr inbounds nuw %struct.LaneGroup, ptr %21, i64 %69
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 12
  %72 = load i32, ptr %71, align 4
  %73 = icmp eq i32 %72, 0
  br i1 %73, label %74, label %65

74:
  %75 = getelementptr inbounds nuw i8, ptr %70, i64 12
  store i32 %42, ptr %70, align 4
  %76 = getelementptr inbounds nuw i8, ptr %70, i64 4
  store i32 %34, ptr %76, align 4
  %77 = getelementptr inbounds nuw i8, ptr %70, i64 8
  store i32 %44, ptr %77, align 4
  store i32 1, ptr %75, align 4
  br label %78

78:
  %79 = add nuw nsw i64 %23, 1
  %80 = icmp eq i64 %79, 64
  br i1 %80, label %81, label %22

81:
  %82 = getelementptr inbounds nuw i8, ptr %0, i64 9616
  %83 = tail call fastcc i32 @pick(ptr noundef nonnull %0, ptr noundef nonnull %82)
  ret i32 %83
}

define internal fastcc i32 @pick(ptr noundef captures(none) %0, ptr noundef captures(none) %1) unnamed_addr {
  br label %8

3:
  %4 = add nuw nsw i64 %9, 1
  %5 = icmp eq i64 %4, 64
  br i1 %5, label %6, label %8

6:
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 1040
  br label %28

8:
  %9 = phi i64 [ 0, %2 ], [ %4, %3 ]
  %10 = getelementptr inbounds nuw %struct.LaneGroup, ptr %1, i64 %9
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 28
  %12 = load i32, ptr %11, align 4
  %13 = icmp eq i32 %12, 1
  br i1 %13, label %14, label %3

14:
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %16 = getelementptr inbounds nuw %struct.LaneGroup, ptr %15, i64 %9
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 4
  %18 = load i32, ptr %17, align 4
  %19 = zext i32 %18 to i64
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %19, ptr %20, align 8
  %21 = load i32, ptr %16, align 4
  store i32 %21, ptr %0, align 8
  %22 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %23 = load i32, ptr %22, align 4
  store i32 %23, ptr %1, align 4
  %24 = getelementptr inbounds nuw i8, ptr %16, i64 12
  store i32 0, ptr %24, align 4
  %25 = tail call fastcc i32 @settle(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %76

26:
  %27 = getelementptr inbounds nuw i8, ptr %1, i64 16
  br label %61

28:
  %29 = phi i64 [ 0, %6 ], [ %55, %54 ]
  %30 = getelementptr inbounds nuw %struct.Meeting, ptr %7, i64 %29
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 16
  %32 = load i32, ptr %31, align 4
  %33 = icmp eq i32 %32, 0
  br i1 %33, label %54, label %34

34:
  %35 = getelementptr inbounds nuw i8, ptr %30, i64 8
  %36 = load i32, ptr %35, align 4
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %54, label %38

38:
  %39 = getelementptr inbounds nuw i8, ptr %30, i64 8
  %40 = xor i32 %36, -1
  %41 = getelementptr inbounds nuw i8, ptr %30, i64 4
  %42 = load i32, ptr %41, align 4
  %43 = and i32 %42, %40
  store i32 %43, ptr %41, align 4
  store i32 0, ptr %39, align 4
  %44 = icmp eq i32 %43, 0
  br i1 %44, label %45, label %47

45:
  %46 = getelementptr inbounds nuw i8, ptr %30, i64 16
  store i32 0, ptr %46, align 4
  br label %47

47:
  %48 = zext i32 %36 to i64
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 %48, ptr %49, align 8
  %50 = load i32, ptr %30, align 4
  store i32 %50, ptr %0, align 8
  %51 = getelementptr inbounds nuw i8, ptr %30, i64 12
  %52 = load i32, ptr %51, align 4
  store i32 %52, ptr %1, align 4
  %53 = tail call fastcc i32 @settle(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %76

54:
  %55 = add nuw nsw i64 %29, 1
  %56 = icmp eq i64 %55, 64
  br i1 %56, label %26, label %28

57:
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store i64 0, ptr %58, align 8
  %59 = icmp eq i32 %73, 0
  %60 = select i1 %59, i32 1, i32 2
  br label %76

61:
  %62 = phi i64 [ 0, %26 ], [ %74, %72 ]
  %63 = phi i32 [ 0, %26 ], [ %73, %72 ]
  %64 = getelementptr inbounds nuw %struct.LaneGroup, ptr %27, i64 %62
  %65 = getelementptr inbounds nuw i8, ptr %64, i64 12
  %66 = load i32, ptr %65, align 4
  %67 = icmp eq i32 %66, 2
  br i1 %67, label %68, label %72

68:
  %69 = getelementptr inbounds nuw i8, ptr %64, i64 4
  %70 = load i32, ptr %69, align 4
  %71 = or i32 %70, %63
  br label %72

72:
  %73 = phi i32 [ %71, %68 ], [ %63, %61 ]
  %74 = add nuw nsw i64 %62, 1
  %75 = icmp eq i64 %74, 64
  br i1 %75, label %57, label %61

76:
  %77 = phi i32 [ %60, %57 ], [ %53, %47 ], [ %25, %14 ]
  ret i32 %77
}

define i32 @lm_park(ptr noundef captures(none) %0, i32 noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 9624
  %4 = load i32, ptr %3, align 4
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %9, label %6

6:
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 9628
  %8 = load i32, ptr %7, align 4
  br label %14

9:
  store i32 1, ptr %3, align 4
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = trunc i64 %11 to i32
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 9628
  store i32 %12, ptr %13, align 4
  br label %14

14:
  %15 = phi i32 [ %8, %6 ], [ %12, %9 ]
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 9616
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %18 = load i64, ptr %17, align 8
  %19 = trunc i64 %18 to i32
  %20 = icmp eq i32 %15, %19
  br i1 %20, label %21, label %22

21:
  store i32 %1, ptr %0, align 8
  br label %60

22:
  %23 = load i32, ptr %16, align 4
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 9632
  br label %25

25:
  %26 = phi i64 [ 0, %22 ], [ %43, %42 ]
  %27 = getelementptr inbounds nuw %struct.LaneGroup, ptr %24, i64 %26
  %28 = getelementptr inbounds nuw i8, ptr %27, i64 12
  %29 = load i32, ptr %28, align 4
  %30 = icmp eq i32 %29, 2
  br i1 %30, label %31, label %42

31:
  %32 = load i32, ptr %27, align 4
  %33 = icmp eq i32 %32, %1
  br i1 %33, label %34, label %42

34:
  %35 = getelementptr inbounds nuw i8, ptr %27, i64 8
  %36 = load i32, ptr %35, align 4
  %37 = icmp eq i32 %36, %23
  br i1 %37, label %38, label %42

38:
  %39 = getelementptr inbounds nuw i8, ptr %27, i64 4
  %40 = load i32, ptr %39, align 4
  %41 = or i32 %40, %19
  store i32 %41, ptr %39, align 4
  br label %58

42:
  %43 = add nuw nsw i64 %26, 1
  %44 = icmp eq i64 %43, 64
  br i1 %44, label %48, label %25

45:
  %46 = add nuw nsw i64 %49, 1
  %47 = icmp eq i64 %46, 64
  br i1 %47, label %58, label %48

48:
  %49 = phi i64 [ %46, %45 ], [ 0, %42 ]
  %50 = getelementptr inbounds nuw %struct.LaneGroup, ptr %24, i64 %49
  %51 = getelementptr inbounds nuw i8, ptr %50, i64 12
  %52 = load i32, ptr %51, align 4
  %53 = icmp eq i32 %52, 0
  br i1 %53, label %54, label %45

54:
  %55 = getelementptr inbounds nuw i8, ptr %50, i64 12
  store i32 %1, ptr %50, align 4
  %56 = getelementptr inbounds nuw i8, ptr %50, i64 4
  store i32 %19, ptr %56, align 4
  %57 = getelementptr inbounds nuw i8, ptr %50, i64 8
  store i32 %23, ptr %57, align 4
  store i32 2, ptr %55, align 4
  br label %58

58:
  %59 = tail call fastcc i32 @pick(ptr noundef nonnull %0, ptr noundef nonnull %16)
  br label %60

60:
  %61 = phi i32 [ 2, %21 ], [ %59, %58 ]
  ret i32 %61
}

define void @lm_unpark(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 9624
  %3 = load i32, ptr %2, align 4
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %5, label %10

5:
  store i32 1, ptr %2, align 4
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load i64, ptr %6, align 8
  %8 = trunc i64 %7 to i32
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 9628
  store i32 %8, ptr %9, align 4
  br label %10

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 9616
  br label %16

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %14 = load i64, ptr %13, align 8
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %28, label %26

16:
  %17 = phi i64 [ 0, %10 ], [ %24, %23 ]
  %18 = getelementptr inbounds nuw %struct.LaneGroup, ptr %11, i64 %17
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 28
  %20 = load i32, ptr %19, align 4
  %21 = icmp eq i32 %20, 2
  br i1 %21, label %22, label %23

22:
  store i32 1, ptr %19, align 4
  br label %23

23:
  %24 = add nuw nsw i64 %17, 1
  %25 = icmp eq i64 %24, 64
  br i1 %25, label %12, label %16

26:
  %27 = tail call fastcc i32 @settle(ptr noundef nonnull %0, ptr noundef nonnull %11)
  br label %30

28:
  %29 = tail call fastcc i32 @pick(ptr noundef nonnull %0, ptr noundef nonnull %11)
  br label %30

30:
  ret void
}

define internal fastcc i32 @settle(ptr noundef captures(none) %0, ptr noundef captures(none) %1) unnamed_addr {
  %3 = load i32, ptr %1, align 4
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %65, label %5

5:
  %6 = getelementptr inbounds nuw i8, ptr %1, i64 1040
  %7 = add i32 %3, -1
  %8 = zext i32 %7 to i64
  %9 = getelementptr inbounds nuw %struct.Meeting, ptr %6, i64 %8
  %10 = load i32, ptr %9, align 4
  %11 = load i32, ptr %0, align 8
  %12 = icmp eq i32 %10, %11
  br i1 %12, label %13, label %65

13:
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %15 = load i64, ptr %14, align 8
  %16 = trunc i64 %15 to i32
  %17 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %18 = load i32, ptr %17, align 4
  %19 = or i32 %18, %16
  store i32 %19, ptr %17, align 4
  %20 = getelementptr inbounds nuw i8, ptr %9, i64 4
  %21 = load i32, ptr %20, align 4
  %22 = icmp eq i32 %19, %21
  br i1 %22, label %23, label %63

23:
  %24 = getelementptr inbounds nuw i8, ptr %9, i64 16
  store i32 0, ptr %24, align 4
  %25 = icmp eq i32 %19, 0
  br i1 %25, label %63, label %26

26:
  %27 = getelementptr inbounds nuw i8, ptr %9, i64 12
  %28 = load i32, ptr %27, align 4
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 16
  br label %30

30:
  %31 = phi i64 [ 0, %26 ], [ %48, %47 ]
  %32 = getelementptr inbounds nuw %struct.LaneGroup, ptr %29, i64 %31
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 12
  %34 = load i32, ptr %33, align 4
  %35 = icmp eq i32 %34, 1
  br i1 %35, label %36, label %47

36:
  %37 = load i32, ptr %32, align 4
  %38 = icmp eq i32 %37, %10
  br i1 %38, label %39, label %47

39:
  %40 = getelementptr inbounds nuw i8, ptr %32, i64 8
  %41 = load i32, ptr %40, align 4
  %42 = icmp eq i32 %41, %28
  br i1 %42, label %43, label %47

43:
  %44 = getelementptr inbounds nuw i8, ptr %32, i64 4
  %45 = load i32, ptr %44, align 4
  %46 = or i32 %45, %19
  store i32 %46, ptr %44, align 4
  br label %63

47:
  %48 = add nuw nsw i64 %31, 1
  %49 = icmp eq i64 %48, 64
  br i1 %49, label %53, label %30

50:
  %51 = add nuw nsw i64 %54, 1
  %52 = icmp eq i64 %51, 64
  br i1 %52, label %63, label %53

53:
  %54 = phi i64 [ %51, %50 ], [ 0, %47 ]
  %55 = getelementptr inbounds nuw %struct.LaneGroup, ptr %29, i64 %54
  %56 = getelementptr inbounds nuw i8, ptr %55, i64 12
  %57 = load i32, ptr %56, align 4
  %58 = icmp eq i32 %57, 0
  br i1 %58, label %59, label %50

59:
  %60 = getelementptr inbounds nuw i8, ptr %55, i64 12
  store i32 %10, ptr %55, align 4
  %61 = getelementptr inbounds nuw i8, ptr %55, i64 4
  store i32 %19, ptr %61, align 4
  %62 = getelementptr inbounds nuw i8, ptr %55, i64 8
  store i32 %28, ptr %62, align 4
  store i32 1, ptr %60, align 4
  br label %63

63:
  %64 = tail call fastcc i32 @pick(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %65

65:
  %66 = phi i32 [ %64, %63 ], [ 0, %5 ], [ 0, %2 ]
  ret i32 %66
}

define noundef i32 @lm_uncompiled(ptr noundef readnone captures(none) %0) local_unnamed_addr {
  ret i32 4
}

define range(i32 1, 0) i32 @lm_run_group(ptr noundef captures(none) %0) local_unnamed_addr {
  %2 = alloca [32 x i64], align 16
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 280
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 352
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 272
  %8 = load i64, ptr %3, align 8
  br label %9

9:
  %10 = phi i64 [ %8, %1 ], [ %221, %220 ]
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %60, label %12

12:
  %13 = load i64, ptr %5, align 8
  br label %14

14:
  %15 = phi i64 [ %55, %50 ], [ %13, %12 ]
  %16 = phi i64 [ %56, %50 ], [ 0, %12 ]
  %17 = phi i32 [ %51, %50 ], [ 0, %12 ]
  %18 = getelementptr inbounds nuw ptr, ptr %4, i64 %15
  %19 = load ptr, ptr %18, align 8
  %20 = getelementptr inbounds nuw i8, ptr %19, i64 4
  %21 = load i32, ptr %20, align 4
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %23, label %50

23:
  %24 = getelementptr inbounds nuw i8, ptr %19, i64 40
  %25 = load ptr, ptr %24, align 8
  %26 = getelementptr inbounds nuw i8, ptr %19, i64 24
  %27 = getelementptr inbounds nuw i8, ptr %25, i64 80
  %28 = getelementptr inbounds nuw i8, ptr %19, i64 52
  %29 = getelementptr inbounds nuw i8, ptr %25, i64 96
  br label %30

30:
  %31 = load ptr, ptr %27, align 8
  %32 = load i32, ptr %19, align 8
  %33 = zext i32 %32 to i64
  %34 = getelementptr inbounds nuw ptr, ptr %31, i64 %33
  %35 = load ptr, ptr %34, align 8
  %36 = tail call i32 %35(ptr noundef nonnull %19)
  %37 = load i32, ptr %28, align 4
  %38 = icmp eq i32 %37, 0
  br i1 %38, label %39, label %222

39:
  %40 = icmp eq i32 %36, 0
  br i1 %40, label %41, label %45

41:
  %42 = load i64, ptr %26, align 8
  %43 = load i64, ptr %29, align 8
  %44 = icmp ugt i64 %42, %43
  br i1 %44, label %222, label %30

45:
  %46 = icmp ult i32 %36, 3
  br i1 %46, label %47, label %48

47:
  store i32 %36, ptr %20, align 4
  br label %50

48:
  %49 = icmp eq i32 %36, 3
  br i1 %49, label %50, label %222

50:
  %51 = phi i32 [ %17, %14 ], [ 1, %47 ], [ 1, %48 ]
  %52 = load i64, ptr %5, align 8
  %53 = add i64 %52, 1
  %54 = load i64, ptr %3, align 8
  %55 = urem i64 %53, %54
  store i64 %55, ptr %5, align 8
  %56 = add nuw i64 %16, 1
  %57 = icmp ult i64 %56, %54
  br i1 %57, label %14, label %58

58:
  %59 = icmp eq i32 %51, 0
  br label %60

60:
  %61 = phi i1 [ %59, %58 ], [ true, %9 ]
  %62 = load i64, ptr %3, align 8
  %63 = icmp eq i64 %62, 0
  br i1 %63, label %222, label %67

64:
  %65 = zext i32 %77 to i64
  %66 = icmp eq i64 %62, %65
  br i1 %66, label %222, label %81

67:
  %68 = phi i64 [ %79, %67 ], [ 0, %60 ]
  %69 = phi i32 [ %78, %67 ], [ 0, %60 ]
  %70 = phi i32 [ %77, %67 ], [ 0, %60 ]
  %71 = getelementptr inbounds nuw ptr, ptr %4, i64 %68
  %72 = load ptr, ptr %71, align 8
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 4
  %74 = load i32, ptr %73, align 4
  %75 = icmp eq i32 %74, 1
  %76 = zext i1 %75 to i32
  %77 = add i32 %70, %76
  %78 = add i32 %69, 1
  %79 = zext i32 %78 to i64
  %80 = icmp ugt i64 %62, %79
  br i1 %80, label %67, label %64

81:
  %82 = phi i64 [ %99, %96 ], [ 0, %64 ]
  %83 = phi i32 [ %98, %96 ], [ 0, %64 ]
  %84 = phi i32 [ %97, %96 ], [ 0, %64 ]
  %85 = getelementptr inbounds nuw ptr, ptr %4, i64 %82
  %86 = load ptr, ptr %85, align 8
  %87 = getelementptr inbounds nuw i8, ptr %86, i64 4
  %88 = load i32, ptr %87, align 4
  switch i32 %88, label %219 [
    i32 1, label %96
    i32 2, label %89
  ]

89:
  %90 = getelementptr inbounds nuw i8, ptr %86, i64 108
  %91 = load i32, ptr %90, align 4
  %92 = icmp eq i32 %91, 0
  br i1 %92, label %93, label %219

93:
  %94 = shl nuw i32 1, %83
  %95 = or i32 %94, %84
  br label %96

96:
  %97 = phi i32 [ %84, %81 ], [ %95, %93 ]
  %98 = add i32 %83, 1
  %99 = zext i32 %98 to i64
  %100 = icmp ugt i64 %62, %99
  br i1 %100, label %81, label %101

101:
  %102 = icmp eq i32 %97, 0
  br i1 %102, label %219, label %103

103:
  %104 = phi i1 [ false, %149 ], [ true, %101 ]
  %105 = phi i64 [ 1, %149 ], [ 0, %101 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %2)
  %106 = getelementptr inbounds nuw [32 x i64], ptr %6, i64 %105
  br label %107

107:
  %108 = phi i64 [ 0, %103 ], [ %130, %129 ]
  %109 = trunc nuw i64 %108 to i32
  %110 = shl nuw i32 1, %109
  %111 = and i32 %110, %97
  %112 = icmp eq i32 %111, 0
  br i1 %112, label %125, label %113

113:
  %114 = getelementptr inbounds nuw ptr, ptr %4, i64 %108
  %115 = load ptr, ptr %114, align 8
  %116 = getelementptr inbounds nuw i8, ptr %115, i64 40
  %117 = load ptr, ptr %116, align 8
  %118 = getelementptr inbounds nuw i8, ptr %117, i64 144
  %119 = load i64, ptr %118, align 8
  %120 = icmp eq i64 %119, 0
  %121 = select i1 %120, i64 88, i64 72
  %122 = getelementptr inbounds nuw i8, ptr %115, i64 %121
  %123 = getelementptr inbounds nuw i64, ptr %122, i64 %105
  %124 = load i64, ptr %123, align 8
  br label %125

125:
  %126 = phi i64 [ %124, %113 ], [ 0, %107 ]
  %127 = getelementptr inbounds nuw i64, ptr %2, i64 %108
  store i64 %126, ptr %127, align 8
  %128 = getelementptr inbounds nuw i64, ptr %106, i64 %108
  br label %133

129:
  %130 = add i64 %108, 1
  %131 = and i64 %130, 4294967295
  %132 = icmp samesign ugt i64 %62, %131
  br i1 %132, label %107, label %150

133:
  %134 = phi i64 [ %126, %125 ], [ %145, %144 ]
  %135 = phi i64 [ 0, %125 ], [ %147, %144 ]
  %136 = phi i32 [ 0, %125 ], [ %146, %144 ]
  %137 = shl nuw i32 1, %136
  %138 = and i32 %137, %97
  %139 = icmp eq i32 %138, 0
  br i1 %139, label %144, label %140

140:
  %141 = getelementptr inbounds nuw [2 x [32 x i64]], ptr %128, i64 %135
  %142 = load i64, ptr %141, align 8
  %143 = tail call i64 @llvm.umax.i64(i64 %142, i64 %134)
  store i64 %143, ptr %127, align 8
  br label %144

144:
  %145 = phi i64 [ %143, %140 ], [ %134, %133 ]
  %146 = add i32 %136, 1
  %147 = zext i32 %146 to i64
  %148 = icmp ugt i64 %62, %147
  br i1 %148, label %133, label %129

149:
  call void @llvm.lifetime.end.p0(ptr nonnull %2)
  br i1 %104, label %103, label %171

150:
  %151 = phi i64 [ %168, %167 ], [ 0, %129 ]
  %152 = trunc nuw i64 %151 to i32
  %153 = shl nuw i32 1, %152
  %154 = and i32 %153, %97
  %155 = icmp eq i32 %154, 0
  br i1 %155, label %167, label %156

156:
  %157 = getelementptr inbounds nuw [2 x [32 x i64]], ptr %106, i64 %151
  br label %158

158:
  %159 = phi i64 [ 0, %156 ], [ %165, %158 ]
  %160 = phi i32 [ 0, %156 ], [ %164, %158 ]
  %161 = getelementptr inbounds nuw i64, ptr %2, i64 %159
  %162 = load i64, ptr %161, align 8
  %163 = getelementptr inbounds nuw i64, ptr %157, i64 %159
  store i64 %162, ptr %163, align 8
  %164 = add i32 %160, 1
  %165 = zext i32 %164 to i64
  %166 = icmp ugt i64 %62, %165
  br i1 %166, label %158, label %167

167:
  %168 = add i64 %151, 1
  %169 = and i64 %168, 4294967295
  %170 = icmp ugt i64 %62, %169
  br i1 %170, label %150, label %149

171:
  %172 = phi i64 [ %216, %214 ], [ 0, %149 ]
  %173 = phi i32 [ %215, %214 ], [ 0, %149 ]
  %174 = shl nuw i32 1, %173
  %175 = and i32 %174, %97
  %176 = icmp eq i32 %175, 0
  br i1 %176, label %214, label %177

177:
  %178 = getelementptr inbounds nuw ptr, ptr %4, i64 %172
  %179 = load ptr, ptr %178, align 8
  %180 = getelementptr inbounds nuw i8, ptr %179, i64 4
  store i32 0, ptr %180, align 4
  %181 = load ptr, ptr %7, align 8
  %182 = getelementptr inbounds nuw i8, ptr %181, i64 144
  %183 = load i64, ptr %182, align 8
  %184 = icmp eq i64 %183, 0
  br i1 %184, label %214, label %185

185:
  %186 = getelementptr inbounds nuw i8, ptr %179, i64 9624
  %187 = load i32, ptr %186, align 4
  %188 = icmp eq i32 %187, 0
  br i1 %188, label %189, label %194

189:
  store i32 1, ptr %186, align 4
  %190 = getelementptr inbounds nuw i8, ptr %179, i64 16
  %191 = load i64, ptr %190, align 8
  %192 = trunc i64 %191 to i32
  %193 = getelementptr inbounds nuw i8, ptr %179, i64 9628
  store i32 %192, ptr %193, align 4
  br label %194

194:
  %195 = getelementptr inbounds nuw i8, ptr %179, i64 9616
  br label %200

196:
  %197 = getelementptr inbounds nuw i8, ptr %179, i64 8
  %198 = load i64, ptr %197, align 8
  %199 = icmp eq i64 %198, 0
  br i1 %199, label %212, label %210

200:
  %201 = phi i64 [ 0, %194 ], [ %208, %207 ]
  %202 = getelementptr inbounds nuw %struct.LaneGroup, ptr %195, i64 %201
  %203 = getelementptr inbounds nuw i8, ptr %202, i64 28
  %204 = load i32, ptr %203, align 4
  %205 = icmp eq i32 %204, 2
  br i1 %205, label %206, label %207

206:
  store i32 1, ptr %203, align 4
  br label %207

207:
  %208 = add nuw nsw i64 %201, 1
  %209 = icmp eq i64 %208, 64
  br i1 %209, label %196, label %200

210:
  %211 = tail call fastcc i32 @settle(ptr noundef nonnull %179, ptr noundef nonnull %195)
  br label %214

212:
  %213 = tail call fastcc i32 @pick(ptr noundef nonnull %179, ptr noundef nonnull %195)
  br label %214

214:
  %215 = add i32 %173, 1
  %216 = zext i32 %215 to i64
  %217 = load i64, ptr %3, align 8
  %218 = icmp ugt i64 %217, %216
  br i1 %218, label %171, label %220

219:
  br i1 %61, label %222, label %220

220:
  %221 = phi i64 [ 1, %219 ], [ %217, %214 ]
  br label %9

222:
  %223 = phi i32 [ 6, %30 ], [ %36, %48 ], [ 7, %41 ], [ 1, %60 ], [ 1, %64 ], [ 8, %219 ]
  ret i32 %223
}

define range(i64 0, 68033) i64 @lm_layout(i32 noundef %0) local_unnamed_addr {
  %2 = icmp ult i32 %0, 9
  br i1 %2, label %3, label %7

3:
  %4 = zext nneg i32 %0 to i64
  %5 = getelementptr inbounds nuw i64, ptr @switch.table.lm_layout, i64 %4
  %6 = load i64, ptr %5, align 8
  br label %7

7:
  %8 = phi i64 [ %6, %3 ], [ 0, %1 ]
  ret i64 %8
}

define i32 @lm_origin(ptr noundef readonly captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i64 noundef %5) local_unnamed_addr {
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 40
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, null
  br i1 %11, label %39, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %8, i64 48
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %8, i64 56
  %16 = load i64, ptr %15, align 8
  %17 = icmp ult i64 %14, %16
  br i1 %17, label %21, label %18

18:
  %19 = trunc i64 %16 to i32
  %20 = add i32 %19, -1
  br label %39

21:
  %22 = getelementptr inbounds nuw %struct.Origin, ptr %10, i64 %14
  store i32 %1, ptr %22, align 8
  %23 = getelementptr inbounds nuw i8, ptr %22, i64 4
  store i32 %2, ptr %23, align 4
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %25 = load i32, ptr %24, align 8
  %26 = getelementptr inbounds nuw i8, ptr %22, i64 8
  store i32 %25, ptr %26, align 8
  %27 = getelementptr inbounds nuw i8, ptr %22, i64 12
  store i32 %3, ptr %27, align 4
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %29 = load ptr, ptr %28, align 8
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %8, i64 88
  %32 = load i64, ptr %31, align 8
  %33 = sub i64 %30, %32
  %34 = getelementptr inbounds nuw i8, ptr %22, i64 16
  store i64 %33, ptr %34, align 8
  %35 = getelementptr inbounds nuw i8, ptr %22, i64 24
  store i64 %5, ptr %35, align 8
  %36 = getelementptr inbounds nuw i8, ptr %22, i64 32
  store i32 %4, ptr %36, align 8
  %37 = add nuw i64 %14, 1
  store i64 %37, ptr %13, align 8
  %38 = trunc i64 %14 to i32
  br label %39

39:
  %40 = phi i32 [ %20, %18 ], [ %38, %21 ], [ 0, %6 ]
  ret i32 %40
}

define void @lm_undefined(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  %7 = tail call ptr @lm_hazard(ptr noundef %0, i32 noundef 3, i32 noundef %1, i64 noundef %2)
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 12
  store i32 %3, ptr %8, align 4
  %9 = getelementptr inbounds nuw i8, ptr %7, i64 80
  store i32 %5, ptr %9, align 8
  %10 = zext i32 %4 to i64
  %11 = getelementptr inbounds nuw i8, ptr %7, i64 48
  store i64 %10, ptr %11, align 8
  ret void
}

define void @lm_undefined_row(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 108
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %55, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 31168
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
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 31168
  %47 = zext i32 %3 to i64
  %48 = getelementptr inbounds nuw [64 x i32], ptr %46, i64 %47
  %49 = getelementptr inbounds nuw i32, ptr %48, i64 %45
  %50 = load i32, ptr %49, align 4
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 49600
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
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
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
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %5 = load i32, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 1424
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
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 16
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
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 108
  %14 = load i32, ptr %13, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %69, label %16

16:
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 12736
  %18 = zext i32 %4 to i64
  %19 = getelementptr inbounds nuw [64 x i32], ptr %17, i64 %18
  %20 = icmp eq i32 %6, 0
  %21 = zext i32 %3 to i64
  %22 = getelementptr inbounds nuw [64 x i32], ptr %17, i64 %21
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 31168
  %24 = getelementptr inbounds nuw [64 x i32], ptr %23, i64 %21
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 49600
  %26 = getelementptr inbounds nuw [64 x i32], ptr %25, i64 %21
  %27 = zext i32 %14 to i64
  br label %37

28:
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 12736
  %30 = zext i32 %5 to i64
  %31 = getelementptr inbounds nuw [64 x i32], ptr %29, i64 %30
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 31168
  %33 = getelementptr inbounds nuw [64 x i32], ptr %32, i64 %30
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 49600
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
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 40
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
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 12736
  %18 = zext i32 %2 to i64
  %19 = getelementptr inbounds nuw [64 x i32], ptr %17, i64 %18
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 31168
  %21 = getelementptr inbounds nuw [64 x i32], ptr %20, i64 %18
  %22 = zext i32 %3 to i64
  %23 = getelementptr inbounds nuw [64 x i32], ptr %17, i64 %22
  %24 = zext i32 %12 to i64
  %25 = shl nuw nsw i64 %24, 2
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %7, ptr nonnull align 4 %19, i64 %25, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %8, ptr nonnull align 4 %21, i64 %25, i1 false)
  br label %37

26:
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 12736
  %28 = zext i32 %4 to i64
  %29 = getelementptr inbounds nuw [64 x i32], ptr %27, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 31168
  %31 = getelementptr inbounds nuw [64 x i32], ptr %30, i64 %28
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 49600
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

define void @lm_gather_chunks(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr {
  %8 = alloca [1032 x i8], align 16
  %9 = alloca [1032 x i8], align 16
  %10 = alloca %struct.Place, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 136
  %14 = load ptr, ptr %13, align 8
  %15 = zext i32 %6 to i64
  %16 = getelementptr inbounds nuw ptr, ptr %14, i64 %15
  %17 = load ptr, ptr %16, align 8
  %18 = getelementptr inbounds nuw i8, ptr %17, i64 4
  %19 = load i32, ptr %17, align 4
  %20 = udiv i32 32, %19
  %21 = getelementptr inbounds nuw i8, ptr %12, i64 108
  %22 = load i32, ptr %21, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %8)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(1032) %8, i8 0, i64 1032, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(1032) %9, i8 0, i64 1032, i1 false)
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %24 = load i64, ptr %23, align 8
  %25 = add i64 %24, 1
  store i64 %25, ptr %23, align 8
  %26 = icmp eq i32 %22, 0
  br i1 %26, label %106, label %27

27:
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 12224
  %29 = zext i32 %2 to i64
  %30 = getelementptr inbounds nuw i8, ptr %10, i64 40
  %31 = getelementptr inbounds nuw i8, ptr %10, i64 24
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %33 = getelementptr inbounds nuw i8, ptr %10, i64 32
  %34 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %35 = getelementptr inbounds nuw i8, ptr %10, i64 16
  %36 = add i32 %4, -1
  %37 = zext i32 %36 to i64
  %38 = zext i32 %4 to i64
  %39 = icmp eq i32 %2, 0
  %40 = zext i32 %22 to i64
  br label %57

41:
  %42 = icmp eq i32 %3, 0
  %43 = icmp ugt i32 %19, 32
  %44 = icmp ult i32 %19, 8
  %45 = shl nsw i32 -1, %19
  %46 = xor i32 %45, -1
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 12224
  %48 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %49 = icmp eq i32 %19, 32
  %50 = select i1 %49, i32 -1, i32 %46
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 12736
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 31168
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 49600
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 52
  %55 = zext i32 %22 to i64
  %56 = zext i32 %3 to i64
  br label %98

57:
  %58 = phi i64 [ 0, %27 ], [ %96, %95 ]
  %59 = trunc nuw i64 %58 to i32
  %60 = mul i32 %2, %59
  %61 = zext i32 %60 to i64
  %62 = getelementptr i8, ptr %9, i64 %61
  %63 = getelementptr i8, ptr %8, i64 %61
  %64 = getelementptr inbounds nuw i64, ptr %28, i64 %58
  %65 = load i64, ptr %64, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %10)
  store i32 1, ptr %30, align 8
  store ptr null, ptr %31, align 8
  %66 = load ptr, ptr %32, align 8
  %67 = getelementptr inbounds nuw i8, ptr %66, i64 336
  %68 = load i64, ptr %67, align 8
  %69 = sub i64 %65, %68
  %70 = getelementptr inbounds nuw i8, ptr %66, i64 328
  %71 = load i64, ptr %70, align 8
  %72 = icmp ugt i64 %69, %71
  %73 = sub nuw i64 %71, %69
  %74 = icmp ult i64 %73, %29
  %75 = select i1 %72, i1 true, i1 %74
  br i1 %75, label %76, label %77

76:
  tail call void @out_of_bounds(ptr noundef nonnull %0, i32 noundef %1, i32 noundef 1, i32 noundef %59, i64 noundef %65, i64 noundef %29)
  br label %95

77:
  store i64 %69, ptr %33, align 8
  %78 = getelementptr inbounds nuw i8, ptr %66, i64 288
  %79 = load ptr, ptr %78, align 8
  %80 = getelementptr i8, ptr %79, i64 %69
  store ptr %80, ptr %10, align 8
  %81 = getelementptr inbounds nuw i8, ptr %66, i64 296
  %82 = load ptr, ptr %81, align 8
  %83 = getelementptr i8, ptr %82, i64 %69
  store ptr %83, ptr %34, align 8
  %84 = getelementptr inbounds nuw i8, ptr %66, i64 304
  %85 = load ptr, ptr %84, align 8
  %86 = icmp eq ptr %85, null
  %87 = lshr i64 %69, 2
  %88 = getelementptr inbounds nuw i32, ptr %85, i64 %87
  %89 = select i1 %86, ptr null, ptr %88
  store ptr %89, ptr %35, align 8
  %90 = and i64 %65, %37
  %91 = icmp eq i64 %90, 0
  br i1 %91, label %93, label %92

92:
  tail call void @misaligned(ptr noundef nonnull %0, i32 noundef %1, i32 noundef 1, i32 noundef %59, i64 noundef %65, i64 noundef %38)
  br label %95

93:
  call void @order_access(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %59, ptr noundef nonnull %10, i64 noundef %29, i32 noundef 1, i32 noundef 0)
  br i1 %39, label %95, label %94

94:
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %63, ptr align 1 %80, i64 %29, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %62, ptr align 1 %83, i64 %29, i1 false)
  br label %95

95:
  call void @llvm.lifetime.end.p0(ptr nonnull %10)
  %96 = add nuw nsw i64 %58, 1
  %97 = icmp eq i64 %96, %40
  br i1 %97, label %41, label %57

98:
  %99 = phi i64 [ 0, %41 ], [ %112, %110 ]
  %100 = phi ptr [ %18, %41 ], [ %111, %110 ]
  br i1 %42, label %110, label %101

101:
  %102 = getelementptr inbounds nuw i32, ptr %51, i64 %99
  %103 = getelementptr inbounds nuw i32, ptr %52, i64 %99
  %104 = getelementptr inbounds nuw i32, ptr %53, i64 %99
  %105 = trunc nuw i64 %99 to i32
  br label %107

106:
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  call void @llvm.lifetime.end.p0(ptr nonnull %8)
  ret void

107:
  %108 = phi i64 [ 0, %101 ], [ %235, %234 ]
  %109 = phi ptr [ %100, %101 ], [ %118, %234 ]
  br i1 %43, label %114, label %126

110:
  %111 = phi ptr [ %100, %98 ], [ %118, %234 ]
  %112 = add nuw nsw i64 %99, 1
  %113 = icmp eq i64 %112, %55
  br i1 %113, label %106, label %98

114:
  %115 = phi i32 [ 0, %107 ], [ %222, %221 ]
  %116 = phi i32 [ 0, %107 ], [ %225, %221 ]
  %117 = phi i32 [ 0, %107 ], [ %224, %221 ]
  %118 = phi ptr [ %109, %107 ], [ %132, %221 ]
  %119 = trunc nuw i64 %108 to i32
  %120 = add i32 %5, %119
  %121 = zext i32 %120 to i64
  %122 = getelementptr inbounds nuw [64 x i32], ptr %102, i64 %121
  store i32 %115, ptr %122, align 4
  %123 = getelementptr inbounds nuw [64 x i32], ptr %103, i64 %121
  store i32 %116, ptr %123, align 4
  %124 = getelementptr inbounds nuw [64 x i32], ptr %104, i64 %121
  store i32 %117, ptr %124, align 4
  %125 = icmp eq i32 %116, 0
  br i1 %125, label %234, label %228

126:
  %127 = phi ptr [ %132, %221 ], [ %109, %107 ]
  %128 = phi i32 [ %226, %221 ], [ 0, %107 ]
  %129 = phi i32 [ %224, %221 ], [ 0, %107 ]
  %130 = phi i32 [ %225, %221 ], [ 0, %107 ]
  %131 = phi i32 [ %222, %221 ], [ 0, %107 ]
  %132 = getelementptr inbounds nuw i8, ptr %127, i64 4
  %133 = load i32, ptr %127, align 4
  %134 = icmp slt i32 %133, 0
  br i1 %134, label %135, label %138

135:
  %136 = mul i32 %128, %19
  %137 = shl i32 %50, %136
  br label %221

138:
  %139 = mul i32 %133, %19
  br label %140

140:
  %141 = phi i32 [ %151, %140 ], [ 0, %138 ]
  %142 = phi i32 [ %150, %140 ], [ 0, %138 ]
  %143 = add i32 %141, %139
  %144 = lshr i32 %143, 3
  %145 = zext nneg i32 %144 to i64
  %146 = getelementptr inbounds nuw i8, ptr %8, i64 %145
  %147 = load i8, ptr %146, align 1
  %148 = zext i8 %147 to i32
  %149 = shl i32 %148, %141
  %150 = or i32 %149, %142
  %151 = add nuw i32 %141, 8
  %152 = icmp ult i32 %151, %19
  br i1 %152, label %140, label %168

153:
  %154 = and i32 %139, 7
  %155 = lshr i32 %150, %154
  %156 = and i32 %155, %46
  %157 = select i1 %44, i32 %156, i32 %150
  %158 = mul i32 %128, %19
  %159 = shl i32 %157, %158
  %160 = or i32 %159, %131
  %161 = lshr i32 %178, %154
  %162 = and i32 %161, %46
  %163 = select i1 %44, i32 %162, i32 %178
  %164 = shl i32 %163, %158
  %165 = icmp eq i32 %163, 0
  %166 = icmp ne i32 %129, 0
  %167 = select i1 %165, i1 true, i1 %166
  br i1 %167, label %221, label %181

168:
  %169 = phi i32 [ %179, %168 ], [ 0, %140 ]
  %170 = phi i32 [ %178, %168 ], [ 0, %140 ]
  %171 = add i32 %169, %139
  %172 = lshr i32 %171, 3
  %173 = zext nneg i32 %172 to i64
  %174 = getelementptr inbounds nuw i8, ptr %9, i64 %173
  %175 = load i8, ptr %174, align 1
  %176 = zext i8 %175 to i32
  %177 = shl i32 %176, %169
  %178 = or i32 %177, %170
  %179 = add nuw i32 %169, 8
  %180 = icmp ult i32 %179, %19
  br i1 %180, label %168, label %153

181:
  %182 = load ptr, ptr %11, align 8
  %183 = getelementptr inbounds nuw i8, ptr %182, i64 40
  %184 = load ptr, ptr %183, align 8
  %185 = icmp eq ptr %184, null
  br i1 %185, label %221, label %186

186:
  %187 = lshr i32 %139, 3
  br label %188

188:
  %189 = phi i32 [ %187, %186 ], [ %194, %188 ]
  %190 = zext i32 %189 to i64
  %191 = getelementptr inbounds nuw i8, ptr %9, i64 %190
  %192 = load i8, ptr %191, align 1
  %193 = icmp eq i8 %192, 0
  %194 = add i32 %189, 1
  br i1 %193, label %188, label %195

195:
  %196 = udiv i32 %189, %2
  %197 = zext i32 %196 to i64
  %198 = getelementptr inbounds nuw i64, ptr %47, i64 %197
  %199 = load i64, ptr %198, align 8
  %200 = urem i32 %189, %2
  %201 = zext i32 %200 to i64
  %202 = add i64 %199, %201
  %203 = load ptr, ptr %48, align 8
  %204 = getelementptr inbounds nuw i8, ptr %203, i64 336
  %205 = load i64, ptr %204, align 8
  %206 = sub i64 %202, %205
  %207 = getelementptr inbounds nuw i8, ptr %203, i64 328
  %208 = load i64, ptr %207, align 8
  %209 = icmp ugt i64 %208, %206
  br i1 %209, label %210, label %219

210:
  %211 = getelementptr inbounds nuw i8, ptr %203, i64 304
  %212 = load ptr, ptr %211, align 8
  %213 = icmp eq ptr %212, null
  br i1 %213, label %219, label %214

214:
  %215 = lshr i64 %206, 2
  %216 = getelementptr inbounds nuw i32, ptr %212, i64 %215
  %217 = load i32, ptr %216, align 4
  %218 = icmp eq i32 %217, 0
  br i1 %218, label %219, label %221

219:
  %220 = tail call i32 @lm_origin(ptr noundef nonnull readonly %0, i32 noundef 1, i32 noundef %1, i32 noundef %105, i32 noundef 1, i64 noundef %202)
  br label %221

221:
  %222 = phi i32 [ %131, %135 ], [ %160, %153 ], [ %160, %181 ], [ %160, %214 ], [ %160, %219 ]
  %223 = phi i32 [ %137, %135 ], [ %164, %153 ], [ %164, %181 ], [ %164, %214 ], [ %164, %219 ]
  %224 = phi i32 [ %129, %135 ], [ %129, %153 ], [ 0, %181 ], [ %217, %214 ], [ %220, %219 ]
  %225 = or i32 %223, %130
  %226 = add nuw nsw i32 %128, 1
  %227 = icmp samesign ult i32 %226, %20
  br i1 %227, label %126, label %114

228:
  %229 = load ptr, ptr %11, align 8
  %230 = getelementptr inbounds nuw i8, ptr %229, i64 128
  %231 = load i64, ptr %230, align 8
  %232 = icmp eq i64 %231, 0
  br i1 %232, label %233, label %234

233:
  store i32 2, ptr %54, align 4
  br label %234

234:
  %235 = add nuw nsw i64 %108, 1
  %236 = icmp eq i64 %235, %56
  br i1 %236, label %110, label %107
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg)

define void @lm_matrix(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7, i32 noundef %8, i32 noundef %9, i32 noundef %10, i32 noundef %11, i32 noundef %12, i32 noundef %13, i32 noundef %14) local_unnamed_addr {
  %16 = alloca [4096 x double], align 16
  %17 = alloca [4096 x double], align 16
  %18 = alloca [1024 x double], align 64
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 136
  %22 = load ptr, ptr %21, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %16)
  call void @llvm.lifetime.start.p0(ptr nonnull %17)
  call void @llvm.lifetime.start.p0(ptr nonnull %18)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(32768) %17, i8 0, i64 32768, i1 false)
  %23 = and i32 %6, 255
  %24 = lshr i32 %6, 8
  %25 = icmp eq i32 %5, 0
  br i1 %25, label %56, label %26

26:
  %27 = zext i32 %1 to i64
  %28 = getelementptr inbounds nuw ptr, ptr %22, i64 %27
  %29 = load ptr, ptr %28, align 8
  %30 = add i32 %1, 1
  %31 = zext i32 %30 to i64
  %32 = getelementptr inbounds nuw ptr, ptr %22, i64 %31
  %33 = mul i32 %4, %3
  %34 = add i32 %1, 2
  %35 = zext i32 %34 to i64
  %36 = getelementptr inbounds nuw ptr, ptr %22, i64 %35
  %37 = icmp eq i32 %14, 0
  %38 = icmp eq i32 %4, 0
  %39 = icmp eq i32 %2, 0
  %40 = add i32 %1, 3
  %41 = zext i32 %40 to i64
  %42 = getelementptr inbounds nuw ptr, ptr %22, i64 %41
  %43 = lshr i32 %4, 5
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 30656
  %45 = icmp eq i32 %3, 0
  %46 = add i32 %1, 4
  %47 = zext i32 %46 to i64
  %48 = getelementptr inbounds nuw ptr, ptr %22, i64 %47
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 30912
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 12736
  %51 = zext i32 %3 to i64
  %52 = zext i32 %5 to i64
  %53 = or i1 %37, %38
  %54 = zext i32 %2 to i64
  %55 = zext i32 %4 to i64
  br label %57

56:
  call void @llvm.lifetime.end.p0(ptr nonnull %18)
  call void @llvm.lifetime.end.p0(ptr nonnull %17)
  call void @llvm.lifetime.end.p0(ptr nonnull %16)
  ret void

57:
  %58 = phi i64 [ 0, %26 ], [ %249, %248 ]
  %59 = trunc nuw i64 %58 to i32
  %60 = mul i32 %2, %59
  %61 = mul i32 %60, %4
  %62 = zext i32 %61 to i64
  %63 = getelementptr inbounds nuw i32, ptr %29, i64 %62
  call fastcc void @gather_operand(ptr noundef %0, i32 noundef %10, i32 noundef %7, ptr noundef %63, i32 noundef %2, i32 noundef %4, i32 noundef %23, ptr noundef %16)
  %64 = load ptr, ptr %32, align 8
  %65 = mul i32 %33, %59
  %66 = zext i32 %65 to i64
  %67 = getelementptr inbounds nuw i32, ptr %64, i64 %66
  call fastcc void @gather_operand(ptr noundef %0, i32 noundef %11, i32 noundef %8, ptr noundef %67, i32 noundef %3, i32 noundef %4, i32 noundef %24, ptr noundef %17)
  %68 = load ptr, ptr %36, align 8
  %69 = mul i32 %60, %3
  %70 = zext i32 %69 to i64
  %71 = getelementptr inbounds nuw i32, ptr %68, i64 %70
  br i1 %53, label %146, label %72

72:
  %73 = phi i32 [ %114, %113 ], [ 0, %57 ]
  br i1 %39, label %78, label %74

74:
  %75 = load ptr, ptr %42, align 8
  %76 = lshr i32 %73, 5
  %77 = shl i32 %73, 5
  br label %83

78:
  br i1 %45, label %113, label %79

79:
  %80 = load ptr, ptr %48, align 8
  %81 = lshr i32 %73, 5
  %82 = shl i32 %73, 5
  br label %116

83:
  %84 = phi i64 [ 0, %74 ], [ %111, %104 ]
  %85 = trunc nuw i64 %84 to i32
  %86 = mul i32 %43, %85
  %87 = add i32 %86, %76
  %88 = zext i32 %87 to i64
  %89 = getelementptr inbounds nuw i32, ptr %75, i64 %88
  %90 = load i32, ptr %89, align 4
  %91 = lshr i32 %90, 5
  %92 = zext nneg i32 %91 to i64
  %93 = getelementptr inbounds nuw i32, ptr %44, i64 %92
  %94 = load i32, ptr %93, align 4
  %95 = and i32 %90, 31
  %96 = lshr i32 %94, %95
  %97 = trunc i32 %96 to i8
  switch i8 %97, label %98 [
    i8 -1, label %104
    i8 0, label %103
  ]

98:
  %99 = shl i32 %96, 23
  %100 = and i32 %99, 2139095040
  %101 = bitcast i32 %100 to float
  %102 = fpext float %101 to double
  br label %104

103:
  br label %104

104:
  %105 = phi double [ 0x7FF8000000000000, %83 ], [ %102, %98 ], [ 0x3800000000000000, %103 ]
  %106 = add i32 %77, %85
  %107 = zext i32 %106 to i64
  %108 = getelementptr inbounds nuw double, ptr %16, i64 %107
  %109 = load double, ptr %108, align 8
  %110 = fmul double %105, %109
  store double %110, ptr %108, align 8
  %111 = add nuw nsw i64 %84, 1
  %112 = icmp eq i64 %111, %54
  br i1 %112, label %78, label %83

113:
  %114 = add nuw i32 %73, 1
  %115 = icmp eq i32 %114, %4
  br i1 %115, label %146, label %72

116:
  %117 = phi i64 [ 0, %79 ], [ %144, %137 ]
  %118 = trunc nuw i64 %117 to i32
  %119 = mul i32 %43, %118
  %120 = add i32 %119, %81
  %121 = zext i32 %120 to i64
  %122 = getelementptr inbounds nuw i32, ptr %80, i64 %121
  %123 = load i32, ptr %122, align 4
  %124 = lshr i32 %123, 5
  %125 = zext nneg i32 %124 to i64
  %126 = getelementptr inbounds nuw i32, ptr %49, i64 %125
  %127 = load i32, ptr %126, align 4
  %128 = and i32 %123, 31
  %129 = lshr i32 %127, %128
  %130 = trunc i32 %129 to i8
  switch i8 %130, label %131 [
    i8 -1, label %137
    i8 0, label %136
  ]

131:
  %132 = shl i32 %129, 23
  %133 = and i32 %132, 2139095040
  %134 = bitcast i32 %133 to float
  %135 = fpext float %134 to double
  br label %137

136:
  br label %137

137:
  %138 = phi double [ 0x7FF8000000000000, %116 ], [ %135, %131 ], [ 0x3800000000000000, %136 ]
  %139 = add i32 %82, %118
  %140 = zext i32 %139 to i64
  %141 = getelementptr inbounds nuw double, ptr %17, i64 %140
  %142 = load double, ptr %141, align 8
  %143 = fmul double %138, %142
  store double %143, ptr %141, align 8
  %144 = add nuw nsw i64 %117, 1
  %145 = icmp eq i64 %144, %51
  br i1 %145, label %113, label %116

146:
  br i1 %39, label %248, label %147

147:
  %148 = phi i32 [ %153, %152 ], [ 0, %146 ]
  br i1 %45, label %152, label %149

149:
  %150 = mul i32 %148, %3
  %151 = shl i32 %148, 5
  br label %155

152:
  %153 = add nuw i32 %148, 1
  %154 = icmp eq i32 %153, %2
  br i1 %154, label %206, label %147

155:
  %156 = phi i64 [ 0, %149 ], [ %204, %203 ]
  %157 = trunc nuw i64 %156 to i32
  %158 = add i32 %150, %157
  %159 = zext i32 %158 to i64
  %160 = getelementptr inbounds nuw i32, ptr %71, i64 %159
  %161 = load i32, ptr %160, align 4
  %162 = udiv i32 %161, %9
  %163 = urem i32 %161, %9
  %164 = add i32 %163, %12
  %165 = zext i32 %164 to i64
  %166 = getelementptr inbounds nuw [64 x i32], ptr %50, i64 %165
  %167 = zext i32 %162 to i64
  %168 = getelementptr inbounds nuw i32, ptr %166, i64 %167
  %169 = load i32, ptr %168, align 4
  switch i32 %13, label %181 [
    i32 0, label %170
    i32 1, label %176
  ]

170:
  %171 = bitcast i32 %169 to float
  %172 = fpext float %171 to double
  %173 = add i32 %151, %157
  %174 = zext i32 %173 to i64
  %175 = getelementptr inbounds nuw double, ptr %18, i64 %174
  store double %172, ptr %175, align 8
  br label %203

176:
  %177 = sitofp i32 %169 to double
  %178 = add i32 %151, %157
  %179 = zext i32 %178 to i64
  %180 = getelementptr inbounds nuw double, ptr %18, i64 %179
  store double %177, ptr %180, align 8
  br label %203

181:
  %182 = and i32 %161, 134217727
  %183 = udiv i32 %182, %9
  %184 = urem i32 %182, %9
  %185 = add i32 %184, %12
  %186 = zext i32 %185 to i64
  %187 = getelementptr inbounds nuw [64 x i32], ptr %50, i64 %186
  %188 = zext nneg i32 %183 to i64
  %189 = getelementptr inbounds nuw i32, ptr %187, i64 %188
  %190 = load i32, ptr %189, align 4
  %191 = zext i32 %190 to i64
  %192 = add i32 %185, 1
  %193 = zext i32 %192 to i64
  %194 = getelementptr inbounds nuw [64 x i32], ptr %50, i64 %193
  %195 = getelementptr inbounds nuw i32, ptr %194, i64 %188
  %196 = load i32, ptr %195, align 4
  %197 = zext i32 %196 to i64
  %198 = shl nuw i64 %197, 32
  %199 = or disjoint i64 %198, %191
  %200 = add i32 %151, %157
  %201 = zext i32 %200 to i64
  %202 = getelementptr inbounds nuw double, ptr %18, i64 %201
  store i64 %199, ptr %202, align 8
  br label %203

203:
  %204 = add nuw nsw i64 %156, 1
  %205 = icmp eq i64 %204, %51
  br i1 %205, label %152, label %155

206:
  %207 = phi i32 [ %211, %210 ], [ 0, %152 ]
  br i1 %45, label %210, label %208

208:
  %209 = shl i32 %207, 5
  br label %213

210:
  %211 = add nuw i32 %207, 1
  %212 = icmp eq i32 %211, %2
  br i1 %212, label %243, label %206

213:
  %214 = phi i64 [ 0, %208 ], [ %222, %220 ]
  %215 = trunc nuw i64 %214 to i32
  %216 = add i32 %209, %215
  %217 = zext i32 %216 to i64
  %218 = getelementptr inbounds nuw double, ptr %18, i64 %217
  %219 = load <8 x double>, ptr %218, align 64
  br i1 %38, label %220, label %224

220:
  %221 = phi <8 x double> [ %219, %213 ], [ %240, %224 ]
  store <8 x double> %221, ptr %218, align 64
  %222 = add nuw nsw i64 %214, 8
  %223 = icmp samesign ult i64 %222, %51
  br i1 %223, label %213, label %210

224:
  %225 = phi i64 [ %241, %224 ], [ 0, %213 ]
  %226 = phi <8 x double> [ %240, %224 ], [ %219, %213 ]
  %227 = trunc nuw i64 %225 to i32
  %228 = shl i32 %227, 5
  %229 = add i32 %228, %215
  %230 = zext i32 %229 to i64
  %231 = getelementptr inbounds nuw double, ptr %17, i64 %230
  %232 = load <8 x double>, ptr %231, align 16
  %233 = add i32 %228, %207
  %234 = zext i32 %233 to i64
  %235 = getelementptr inbounds nuw double, ptr %16, i64 %234
  %236 = load double, ptr %235, align 8
  %237 = insertelement <8 x double> poison, double %236, i64 0
  %238 = shufflevector <8 x double> %237, <8 x double> poison, <8 x i32> zeroinitializer
  %239 = fmul <8 x double> %232, %238
  %240 = fadd <8 x double> %226, %239
  %241 = add nuw nsw i64 %225, 1
  %242 = icmp eq i64 %241, %55
  br i1 %242, label %220, label %224

243:
  %244 = phi i32 [ %252, %251 ], [ 0, %210 ]
  br i1 %45, label %251, label %245

245:
  %246 = mul i32 %244, %3
  %247 = shl i32 %244, 5
  br label %254

248:
  %249 = add nuw nsw i64 %58, 1
  %250 = icmp eq i64 %249, %52
  br i1 %250, label %56, label %57

251:
  %252 = add nuw i32 %244, 1
  %253 = icmp eq i32 %252, %2
  br i1 %253, label %248, label %243

254:
  %255 = phi i64 [ 0, %245 ], [ %295, %294 ]
  %256 = trunc nuw i64 %255 to i32
  %257 = add i32 %246, %256
  %258 = zext i32 %257 to i64
  %259 = getelementptr inbounds nuw i32, ptr %71, i64 %258
  %260 = load i32, ptr %259, align 4
  %261 = udiv i32 %260, %9
  %262 = urem i32 %260, %9
  %263 = add i32 %247, %256
  %264 = zext i32 %263 to i64
  %265 = getelementptr inbounds nuw double, ptr %18, i64 %264
  %266 = load double, ptr %265, align 8
  switch i32 %13, label %284 [
    i32 2, label %267
    i32 1, label %281
  ]

267:
  %268 = bitcast double %266 to i64
  %269 = trunc i64 %268 to i32
  %270 = add i32 %262, %12
  %271 = zext i32 %270 to i64
  %272 = getelementptr inbounds nuw [64 x i32], ptr %50, i64 %271
  %273 = zext i32 %261 to i64
  %274 = getelementptr inbounds nuw i32, ptr %272, i64 %273
  store i32 %269, ptr %274, align 4
  %275 = lshr i64 %268, 32
  %276 = trunc nuw i64 %275 to i32
  %277 = add i32 %270, 1
  %278 = zext i32 %277 to i64
  %279 = getelementptr inbounds nuw [64 x i32], ptr %50, i64 %278
  %280 = getelementptr inbounds nuw i32, ptr %279, i64 %273
  store i32 %276, ptr %280, align 4
  br label %294

281:
  %282 = fptosi double %266 to i64
  %283 = trunc i64 %282 to i32
  br label %287

284:
  %285 = fptrunc double %266 to float
  %286 = bitcast float %285 to i32
  br label %287

287:
  %288 = phi i32 [ %283, %281 ], [ %286, %284 ]
  %289 = add i32 %262, %12
  %290 = zext i32 %289 to i64
  %291 = getelementptr inbounds nuw [64 x i32], ptr %50, i64 %290
  %292 = zext i32 %261 to i64
  %293 = getelementptr inbounds nuw i32, ptr %291, i64 %292
  store i32 %288, ptr %293, align 4
  br label %294

294:
  %295 = add nuw nsw i64 %255, 1
  %296 = icmp eq i64 %295, %51
  br i1 %296, label %251, label %254
}

define internal fastcc void @gather_operand(ptr noundef readonly captures(none) %0, i32 noundef %1, i32 noundef %2, ptr noundef readonly captures(none) %3, i32 noundef %4, i32 noundef %5, i32 noundef range(i32 0, 16777216) %6, ptr noundef nonnull writeonly captures(none) %7) unnamed_addr {
  %9 = alloca [256 x float], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  switch i32 %6, label %16 [
    i32 1, label %17
    i32 2, label %10
    i32 3, label %11
    i32 4, label %12
    i32 5, label %13
    i32 6, label %14
    i32 7, label %15
    i32 9, label %36
    i32 11, label %25
    i32 10, label %25
    i32 8, label %25
  ]

10:
  br label %17

11:
  br label %17

12:
  br label %17

13:
  br label %17

14:
  br label %17

15:
  br label %17

16:
  br label %17

17:
  %18 = phi i64 [ 4294967298, %15 ], [ 42949672965, %8 ], [ 8589934595, %14 ], [ 12884901890, %13 ], [ 8589934597, %12 ], [ 12884901892, %11 ], [ 30064771080, %10 ], [ 98784247816, %16 ]
  %19 = trunc i64 %18 to i32
  %20 = add nuw nsw i32 %19, 1
  %21 = lshr i64 %18, 32
  %22 = trunc nuw nsw i64 %21 to i32
  %23 = add nuw nsw i32 %20, %22
  %24 = icmp samesign ult i32 %23, 9
  br i1 %24, label %25, label %36

25:
  %26 = phi i32 [ %23, %17 ], [ 8, %8 ], [ 8, %8 ], [ 8, %8 ]
  br label %27

27:
  %28 = phi i64 [ 0, %25 ], [ %32, %27 ]
  %29 = trunc nuw nsw i64 %28 to i32
  %30 = tail call float @decode(i32 noundef %6, i32 noundef %29)
  %31 = getelementptr inbounds nuw float, ptr %9, i64 %28
  store float %30, ptr %31, align 4
  %32 = add nuw nsw i64 %28, 1
  %33 = trunc nuw nsw i64 %32 to i32
  %34 = lshr i32 %33, %26
  %35 = icmp eq i32 %34, 0
  br i1 %35, label %27, label %36

36:
  %37 = phi i1 [ false, %17 ], [ false, %8 ], [ true, %27 ]
  %38 = phi i32 [ %23, %17 ], [ 64, %8 ], [ %26, %27 ]
  %39 = icmp eq i32 %4, 0
  br i1 %39, label %54, label %40

40:
  %41 = icmp eq i32 %5, 0
  %42 = icmp eq i32 %6, 9
  %43 = getelementptr inbounds nuw i8, ptr %0, i64 12736
  %44 = icmp ugt i32 %38, 31
  %45 = zext nneg i32 %38 to i64
  %46 = shl nsw i64 -1, %45
  %47 = xor i64 %46, -1
  %48 = select i1 %44, i64 4294967295, i64 %47
  %49 = zext i32 %5 to i64
  br label %50

50:
  %51 = phi i32 [ 0, %40 ], [ %56, %55 ]
  br i1 %41, label %55, label %52

52:
  %53 = mul i32 %51, %5
  br label %58

54:
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  ret void

55:
  %56 = add nuw i32 %51, 1
  %57 = icmp eq i32 %56, %4
  br i1 %57, label %54, label %50

58:
  %59 = phi i64 [ 0, %52 ], [ %128, %122 ]
  %60 = trunc nuw i64 %59 to i32
  %61 = add i32 %53, %60
  %62 = zext i32 %61 to i64
  %63 = getelementptr inbounds nuw i32, ptr %3, i64 %62
  %64 = load i32, ptr %63, align 4
  %65 = lshr i32 %64, 5
  br i1 %42, label %66, label %85

66:
  %67 = udiv i32 %65, %2
  %68 = urem i32 %65, %2
  %69 = add i32 %68, %1
  %70 = zext i32 %69 to i64
  %71 = getelementptr inbounds nuw [64 x i32], ptr %43, i64 %70
  %72 = zext nneg i32 %67 to i64
  %73 = getelementptr inbounds nuw i32, ptr %71, i64 %72
  %74 = load i32, ptr %73, align 4
  %75 = zext i32 %74 to i64
  %76 = add i32 %69, 1
  %77 = zext i32 %76 to i64
  %78 = getelementptr inbounds nuw [64 x i32], ptr %43, i64 %77
  %79 = getelementptr inbounds nuw i32, ptr %78, i64 %72
  %80 = load i32, ptr %79, align 4
  %81 = zext i32 %80 to i64
  %82 = shl nuw i64 %81, 32
  %83 = or disjoint i64 %82, %75
  %84 = bitcast i64 %83 to double
  br label %122

85:
  %86 = and i32 %64, 31
  %87 = udiv i32 %65, %2
  %88 = urem i32 %65, %2
  %89 = add i32 %88, %1
  %90 = zext i32 %89 to i64
  %91 = getelementptr inbounds nuw [64 x i32], ptr %43, i64 %90
  %92 = zext nneg i32 %87 to i64
  %93 = getelementptr inbounds nuw i32, ptr %91, i64 %92
  %94 = load i32, ptr %93, align 4
  %95 = zext i32 %94 to i64
  %96 = add i32 %86, %38
  %97 = icmp ugt i32 %96, 32
  br i1 %97, label %98, label %107

98:
  %99 = add i32 %89, 1
  %100 = zext i32 %99 to i64
  %101 = getelementptr inbounds nuw [64 x i32], ptr %43, i64 %100
  %102 = getelementptr inbounds nuw i32, ptr %101, i64 %92
  %103 = load i32, ptr %102, align 4
  %104 = zext i32 %103 to i64
  %105 = shl nuw i64 %104, 32
  %106 = or disjoint i64 %105, %95
  br label %107

107:
  %108 = phi i64 [ %106, %98 ], [ %95, %85 ]
  %109 = zext nneg i32 %86 to i64
  %110 = lshr i64 %108, %109
  %111 = and i64 %110, %48
  br i1 %37, label %112, label %116

112:
  %113 = and i64 %111, 4294967295
  %114 = getelementptr inbounds nuw float, ptr %9, i64 %113
  %115 = load float, ptr %114, align 4
  br label %119

116:
  %117 = trunc i64 %111 to i32
  %118 = tail call float @decode(i32 noundef %6, i32 noundef %117)
  br label %119

119:
  %120 = phi float [ %115, %112 ], [ %118, %116 ]
  %121 = fpext float %120 to double
  br label %122

122:
  %123 = phi double [ %84, %66 ], [ %121, %119 ]
  %124 = shl i32 %60, 5
  %125 = add i32 %124, %51
  %126 = zext i32 %125 to i64
  %127 = getelementptr inbounds nuw double, ptr %7, i64 %126
  store double %123, ptr %127, align 8
  %128 = add nuw nsw i64 %59, 1
  %129 = icmp eq i64 %128, %49
  br i1 %129, label %55, label %58
}

define void @lm_load(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7) local_unnamed_addr {
  %9 = alloca %struct.Place, align 8
  switch i32 %2, label %18 [
    i32 3, label %10
    i32 0, label %10
    i32 1, label %14
  ]

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %12 = load i64, ptr %11, align 8
  %13 = add i64 %12, 1
  store i64 %13, ptr %11, align 8
  switch i32 %2, label %18 [
    i32 3, label %14
    i32 1, label %14
  ]

14:
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %16 = load i64, ptr %15, align 8
  %17 = add i64 %16, 1
  store i64 %17, ptr %15, align 8
  br label %18

18:
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 108
  %22 = load i32, ptr %21, align 4
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %40, label %24

24:
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 12224
  %26 = zext i32 %4 to i64
  %27 = add i32 %5, -1
  %28 = zext i32 %27 to i64
  %29 = zext i32 %5 to i64
  %30 = or i32 %7, 1
  %31 = icmp eq i32 %4, 0
  %32 = getelementptr inbounds nuw i8, ptr %9, i64 40
  %33 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 12736
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 31168
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 52
  %37 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %38 = getelementptr inbounds nuw i8, ptr %9, i64 32
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 49600
  br label %41

40:
  ret void

41:
  %42 = phi ptr [ %20, %24 ], [ %159, %158 ]
  %43 = phi i64 [ 0, %24 ], [ %160, %158 ]
  %44 = shl nuw i64 1, %43
  %45 = and i64 %44, %3
  %46 = icmp eq i64 %45, 0
  br i1 %46, label %158, label %47

47:
  %48 = getelementptr inbounds nuw i64, ptr %25, i64 %43
  %49 = load i64, ptr %48, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  %50 = trunc nuw i64 %43 to i32
  %51 = call i32 @resolve(ptr noundef nonnull %0, i32 noundef %2, i32 noundef %50, i64 noundef %49, i64 noundef %26, ptr noundef nonnull %9)
  %52 = icmp eq i32 %51, 0
  br i1 %52, label %53, label %54

53:
  tail call void @out_of_bounds(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2, i32 noundef %50, i64 noundef %49, i64 noundef %26)
  br label %58

54:
  %55 = and i64 %49, %28
  %56 = icmp eq i64 %55, 0
  br i1 %56, label %72, label %57

57:
  tail call void @misaligned(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2, i32 noundef %50, i64 noundef %49, i64 noundef %29)
  br label %58

58:
  br i1 %31, label %156, label %59

59:
  %60 = getelementptr inbounds nuw i32, ptr %34, i64 %43
  %61 = getelementptr inbounds nuw i32, ptr %35, i64 %43
  br label %62

62:
  %63 = phi i64 [ 0, %59 ], [ %70, %62 ]
  %64 = lshr exact i64 %63, 2
  %65 = trunc nuw nsw i64 %64 to i32
  %66 = add i32 %6, %65
  %67 = zext i32 %66 to i64
  %68 = getelementptr inbounds nuw [64 x i32], ptr %60, i64 %67
  store i32 0, ptr %68, align 4
  %69 = getelementptr inbounds nuw [64 x i32], ptr %61, i64 %67
  store i32 0, ptr %69, align 4
  %70 = add nuw nsw i64 %63, 4
  %71 = icmp samesign ult i64 %70, %26
  br i1 %71, label %62, label %156

72:
  call void @order_access(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %50, ptr noundef nonnull %9, i64 noundef %26, i32 noundef %30, i32 noundef 0)
  br i1 %31, label %156, label %73

73:
  %74 = load i32, ptr %32, align 8
  %75 = load ptr, ptr %9, align 8
  %76 = load ptr, ptr %33, align 8
  %77 = getelementptr inbounds nuw i32, ptr %34, i64 %43
  %78 = getelementptr inbounds nuw i32, ptr %35, i64 %43
  %79 = load ptr, ptr %37, align 8
  %80 = icmp eq ptr %79, null
  %81 = load i64, ptr %38, align 8
  %82 = and i64 %81, 3
  %83 = getelementptr inbounds nuw i32, ptr %39, i64 %43
  br label %84

84:
  %85 = phi i32 [ 0, %73 ], [ %154, %153 ]
  %86 = zext i32 %85 to i64
  %87 = sub nuw i32 %4, %85
  %88 = tail call i32 @llvm.umin.i32(i32 %87, i32 4)
  %89 = zext nneg i32 %88 to i64
  br label %98

90:
  %91 = lshr exact i32 %85, 2
  %92 = add i32 %91, %6
  %93 = zext i32 %92 to i64
  %94 = getelementptr inbounds nuw [64 x i32], ptr %77, i64 %93
  store i32 %109, ptr %94, align 4
  %95 = getelementptr inbounds nuw [64 x i32], ptr %78, i64 %93
  store i32 %114, ptr %95, align 4
  %96 = icmp eq i32 %114, 0
  %97 = load ptr, ptr %19, align 8
  br i1 %96, label %126, label %117

98:
  %99 = phi i64 [ 0, %84 ], [ %115, %98 ]
  %100 = phi i32 [ 0, %84 ], [ %114, %98 ]
  %101 = phi i32 [ 0, %84 ], [ %109, %98 ]
  %102 = add nuw nsw i64 %99, %86
  %103 = getelementptr inbounds nuw i8, ptr %75, i64 %102
  %104 = load i8, ptr %103, align 1
  %105 = zext i8 %104 to i32
  %106 = trunc i64 %99 to i32
  %107 = shl i32 %106, 3
  %108 = shl i32 %105, %107
  %109 = or i32 %108, %101
  %110 = getelementptr inbounds nuw i8, ptr %76, i64 %102
  %111 = load i8, ptr %110, align 1
  %112 = zext i8 %111 to i32
  %113 = shl i32 %112, %107
  %114 = or i32 %113, %100
  %115 = add nuw nsw i64 %99, 1
  %116 = icmp eq i64 %115, %89
  br i1 %116, label %90, label %98

117:
  %118 = getelementptr inbounds nuw i8, ptr %97, i64 128
  %119 = load i64, ptr %118, align 8
  %120 = icmp eq i64 %119, 0
  br i1 %120, label %121, label %122

121:
  store i32 2, ptr %36, align 4
  br label %122

122:
  %123 = getelementptr inbounds nuw i8, ptr %97, i64 40
  %124 = load ptr, ptr %123, align 8
  %125 = icmp eq ptr %124, null
  br i1 %125, label %153, label %130

126:
  %127 = getelementptr inbounds nuw i8, ptr %97, i64 40
  %128 = load ptr, ptr %127, align 8
  %129 = icmp eq ptr %128, null
  br i1 %129, label %153, label %150

130:
  %131 = add nuw nsw i64 %89, %86
  br label %132

132:
  %133 = phi i64 [ %86, %130 ], [ %148, %147 ]
  %134 = getelementptr inbounds nuw i8, ptr %76, i64 %133
  %135 = load i8, ptr %134, align 1
  %136 = icmp eq i8 %135, 0
  br i1 %136, label %147, label %137

137:
  br i1 %80, label %144, label %138

138:
  %139 = add nuw nsw i64 %82, %133
  %140 = lshr i64 %139, 2
  %141 = getelementptr inbounds nuw i32, ptr %79, i64 %140
  %142 = load i32, ptr %141, align 4
  %143 = icmp eq i32 %142, 0
  br i1 %143, label %144, label %150

144:
  %145 = add i64 %133, %49
  %146 = tail call i32 @lm_origin(ptr noundef nonnull readonly %0, i32 noundef 1, i32 noundef %1, i32 noundef %50, i32 noundef %74, i64 noundef %145)
  br label %150

147:
  %148 = add nuw nsw i64 %133, 1
  %149 = icmp samesign ult i64 %148, %131
  br i1 %149, label %132, label %150

150:
  %151 = phi i32 [ %142, %138 ], [ 0, %126 ], [ %146, %144 ], [ 0, %147 ]
  %152 = getelementptr inbounds nuw [64 x i32], ptr %83, i64 %93
  store i32 %151, ptr %152, align 4
  br label %153

153:
  %154 = add i32 %85, 4
  %155 = icmp ult i32 %154, %4
  br i1 %155, label %84, label %156

156:
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  %157 = load ptr, ptr %19, align 8
  br label %158

158:
  %159 = phi ptr [ %157, %156 ], [ %42, %41 ]
  %160 = add nuw nsw i64 %43, 1
  %161 = getelementptr inbounds nuw i8, ptr %159, i64 108
  %162 = load i32, ptr %161, align 4
  %163 = zext i32 %162 to i64
  %164 = icmp samesign ult i64 %160, %163
  br i1 %164, label %41, label %40
}

define void @lm_store(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i64 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6, i32 noundef %7) local_unnamed_addr {
  %9 = alloca %struct.Place, align 8
  switch i32 %2, label %18 [
    i32 3, label %10
    i32 0, label %10
    i32 1, label %14
  ]

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %12 = load i64, ptr %11, align 8
  %13 = add i64 %12, 1
  store i64 %13, ptr %11, align 8
  switch i32 %2, label %18 [
    i32 3, label %14
    i32 1, label %14
  ]

14:
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %16 = load i64, ptr %15, align 8
  %17 = add i64 %16, 1
  store i64 %17, ptr %15, align 8
  br label %18

18:
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 108
  %22 = load i32, ptr %21, align 4
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %40, label %24

24:
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 12224
  %26 = zext i32 %4 to i64
  %27 = add i32 %5, -1
  %28 = zext i32 %27 to i64
  %29 = zext i32 %5 to i64
  %30 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %31 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %32 = icmp eq i32 %4, 0
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 12736
  %34 = zext i32 %6 to i64
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 31168
  %36 = or i32 %7, 2
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 52
  %38 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 49600
  br label %41

40:
  ret void

41:
  %42 = phi ptr [ %20, %24 ], [ %156, %155 ]
  %43 = phi i64 [ 0, %24 ], [ %157, %155 ]
  %44 = shl nuw i64 1, %43
  %45 = and i64 %44, %3
  %46 = icmp eq i64 %45, 0
  br i1 %46, label %155, label %47

47:
  %48 = getelementptr inbounds nuw i64, ptr %25, i64 %43
  %49 = load i64, ptr %48, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %9)
  %50 = trunc nuw i64 %43 to i32
  %51 = call i32 @resolve(ptr noundef nonnull %0, i32 noundef %2, i32 noundef %50, i64 noundef %49, i64 noundef %26, ptr noundef nonnull %9)
  %52 = icmp eq i32 %51, 0
  br i1 %52, label %53, label %54

53:
  tail call void @out_of_bounds(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2, i32 noundef %50, i64 noundef %49, i64 noundef %26)
  br label %153

54:
  %55 = and i64 %49, %28
  %56 = icmp eq i64 %55, 0
  br i1 %56, label %58, label %57

57:
  tail call void @misaligned(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2, i32 noundef %50, i64 noundef %49, i64 noundef %29)
  br label %153

58:
  %59 = load ptr, ptr %30, align 8
  %60 = icmp eq ptr %59, null
  br i1 %60, label %69, label %61

61:
  %62 = getelementptr inbounds nuw i8, ptr %59, i64 48
  %63 = load i32, ptr %62, align 8
  %64 = icmp eq i32 %63, 0
  br i1 %64, label %69, label %65

65:
  %66 = tail call ptr @lm_hazard(ptr noundef nonnull %0, i32 noundef 7, i32 noundef %1, i64 noundef %44)
  %67 = getelementptr inbounds nuw i8, ptr %66, i64 32
  store i64 %49, ptr %67, align 8
  %68 = getelementptr inbounds nuw i8, ptr %66, i64 40
  store i64 %26, ptr %68, align 8
  br label %153

69:
  br i1 %32, label %70, label %71

70:
  call void @order_access(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %50, ptr noundef nonnull %9, i64 noundef %26, i32 noundef %36, i32 noundef 1)
  br label %153

71:
  %72 = load ptr, ptr %9, align 8
  %73 = getelementptr inbounds nuw i32, ptr %33, i64 %43
  %74 = getelementptr inbounds nuw i32, ptr %35, i64 %43
  %75 = load ptr, ptr %31, align 8
  br label %79

76:
  %77 = add nuw nsw i64 %80, 1
  %78 = icmp eq i64 %77, %26
  br i1 %78, label %101, label %79

79:
  %80 = phi i64 [ 0, %71 ], [ %77, %76 ]
  %81 = getelementptr inbounds nuw i8, ptr %72, i64 %80
  %82 = load i8, ptr %81, align 1
  %83 = lshr i64 %80, 2
  %84 = add nuw nsw i64 %83, %34
  %85 = getelementptr inbounds nuw [64 x i32], ptr %73, i64 %84
  %86 = load i32, ptr %85, align 4
  %87 = trunc i64 %80 to i32
  %88 = shl i32 %87, 3
  %89 = and i32 %88, 24
  %90 = lshr i32 %86, %89
  %91 = trunc i32 %90 to i8
  %92 = icmp eq i8 %82, %91
  br i1 %92, label %93, label %101

93:
  %94 = getelementptr inbounds nuw i8, ptr %75, i64 %80
  %95 = load i8, ptr %94, align 1
  %96 = getelementptr inbounds nuw [64 x i32], ptr %74, i64 %84
  %97 = load i32, ptr %96, align 4
  %98 = lshr i32 %97, %89
  %99 = trunc i32 %98 to i8
  %100 = icmp eq i8 %95, %99
  br i1 %100, label %76, label %101

101:
  %102 = phi i32 [ 1, %76 ], [ 0, %93 ], [ 0, %79 ]
  call void @order_access(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %50, ptr noundef nonnull %9, i64 noundef %26, i32 noundef %36, i32 noundef %102)
  %103 = getelementptr inbounds nuw i32, ptr %33, i64 %43
  %104 = getelementptr inbounds nuw i32, ptr %35, i64 %43
  %105 = load ptr, ptr %9, align 8
  %106 = load ptr, ptr %31, align 8
  %107 = load ptr, ptr %38, align 8
  %108 = icmp eq ptr %107, null
  %109 = getelementptr inbounds nuw i32, ptr %39, i64 %43
  br label %110

110:
  %111 = phi i64 [ 0, %101 ], [ %151, %150 ]
  %112 = lshr exact i64 %111, 2
  %113 = trunc nuw nsw i64 %112 to i32
  %114 = add i32 %6, %113
  %115 = trunc i64 %111 to i32
  %116 = sub i32 %4, %115
  %117 = tail call i32 @llvm.umin.i32(i32 %116, i32 4)
  %118 = zext nneg i32 %117 to i64
  %119 = zext i32 %114 to i64
  %120 = getelementptr inbounds nuw [64 x i32], ptr %103, i64 %119
  %121 = load i32, ptr %120, align 4
  %122 = getelementptr inbounds nuw [64 x i32], ptr %104, i64 %119
  %123 = load i32, ptr %122, align 4
  br label %126

124:
  %125 = icmp eq i32 %123, 0
  br i1 %125, label %150, label %139

126:
  %127 = phi i64 [ %137, %126 ], [ 0, %110 ]
  %128 = trunc i64 %127 to i32
  %129 = shl i32 %128, 3
  %130 = lshr i32 %121, %129
  %131 = trunc i32 %130 to i8
  %132 = add nuw nsw i64 %127, %111
  %133 = getelementptr inbounds nuw i8, ptr %105, i64 %132
  store i8 %131, ptr %133, align 1
  %134 = lshr i32 %123, %129
  %135 = trunc i32 %134 to i8
  %136 = getelementptr inbounds nuw i8, ptr %106, i64 %132
  store i8 %135, ptr %136, align 1
  %137 = add nuw nsw i64 %127, 1
  %138 = icmp eq i64 %137, %118
  br i1 %138, label %124, label %126

139:
  %140 = load ptr, ptr %19, align 8
  %141 = getelementptr inbounds nuw i8, ptr %140, i64 128
  %142 = load i64, ptr %141, align 8
  %143 = icmp eq i64 %142, 0
  br i1 %143, label %144, label %145

144:
  store i32 2, ptr %37, align 4
  br label %145

145:
  br i1 %108, label %150, label %146

146:
  %147 = getelementptr inbounds nuw [64 x i32], ptr %109, i64 %119
  %148 = load i32, ptr %147, align 4
  %149 = getelementptr inbounds nuw i8, ptr %107, i64 %111
  store i32 %148, ptr %149, align 4
  br label %150

150:
  %151 = add nuw nsw i64 %111, 4
  %152 = icmp samesign ult i64 %151, %26
  br i1 %152, label %110, label %153

153:
  call void @llvm.lifetime.end.p0(ptr nonnull %9)
  %154 = load ptr, ptr %19, align 8
  br label %155

155:
  %156 = phi ptr [ %154, %153 ], [ %42, %41 ]
  %157 = add nuw nsw i64 %43, 1
  %158 = getelementptr inbounds nuw i8, ptr %156, i64 108
  %159 = load i32, ptr %158, align 4
  %160 = zext i32 %159 to i64
  %161 = icmp samesign ult i64 %157, %160
  br i1 %161, label %41, label %40
}

define void @lm_load_uniform(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) local_unnamed_addr {
  tail call void @lm_load(ptr noundef %0, i32 noundef %1, i32 noundef %2, i64 noundef 1, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef 0)
  ret void
}

define range(i32 0, 2) i32 @lm_any_undefined(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = alloca %struct.Place, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 108
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %47, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 12224
  %13 = zext i32 %3 to i64
  %14 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %15 = icmp eq i32 %3, 0
  br label %16

16:
  %17 = phi i64 [ 0, %11 ], [ %40, %39 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %5)
  %18 = shl nuw i64 1, %17
  %19 = and i64 %18, %2
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %39, label %21

21:
  %22 = getelementptr inbounds nuw i64, ptr %12, i64 %17
  %23 = load i64, ptr %22, align 8
  %24 = trunc nuw i64 %17 to i32
  %25 = call i32 @resolve(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %24, i64 noundef %23, i64 noundef %13, ptr noundef nonnull %5)
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %39, label %27

27:
  %28 = load ptr, ptr %14, align 8
  br i1 %15, label %39, label %29

29:
  %30 = phi i64 [ %35, %29 ], [ 0, %27 ]
  %31 = phi i8 [ %34, %29 ], [ 0, %27 ]
  %32 = getelementptr inbounds nuw i8, ptr %28, i64 %30
  %33 = load i8, ptr %32, align 1
  %34 = or i8 %33, %31
  %35 = add nuw nsw i64 %30, 1
  %36 = icmp eq i64 %35, %13
  br i1 %36, label %37, label %29

37:
  %38 = icmp eq i8 %34, 0
  br i1 %38, label %39, label %46

39:
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  %40 = add nuw nsw i64 %17, 1
  %41 = load ptr, ptr %6, align 8
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 108
  %43 = load i32, ptr %42, align 4
  %44 = zext i32 %43 to i64
  %45 = icmp samesign ult i64 %40, %44
  br i1 %45, label %16, label %47

46:
  call void @llvm.lifetime.end.p0(ptr nonnull %5)
  br label %47

47:
  %48 = phi i32 [ 1, %46 ], [ 0, %4 ], [ 0, %39 ]
  ret i32 %48
}

define range(i32 2, 0) i32 @format_bits(i32 noundef %0) local_unnamed_addr {
  switch i32 %0, label %8 [
    i32 1, label %9
    i32 2, label %2
    i32 3, label %3
    i32 4, label %4
    i32 5, label %5
    i32 6, label %6
    i32 7, label %7
    i32 9, label %17
    i32 11, label %16
    i32 10, label %16
    i32 8, label %16
  ]

2:
  br label %9

3:
  br label %9

4:
  br label %9

5:
  br label %9

6:
  br label %9

7:
  br label %9

8:
  br label %9

9:
  %10 = phi i64 [ 4294967298, %7 ], [ 42949672965, %1 ], [ 8589934595, %6 ], [ 12884901890, %5 ], [ 8589934597, %4 ], [ 12884901892, %3 ], [ 30064771080, %2 ], [ 98784247816, %8 ]
  %11 = trunc i64 %10 to i32
  %12 = add nuw nsw i32 %11, 1
  %13 = lshr i64 %10, 32
  %14 = trunc nuw nsw i64 %13 to i32
  %15 = add nuw nsw i32 %12, %14
  br label %17

16:
  br label %17

17:
  %18 = phi i32 [ %15, %9 ], [ 64, %1 ], [ 8, %16 ]
  ret i32 %18
}

define float @decode(i32 noundef %0, i32 noundef %1) local_unnamed_addr {
  switch i32 %0, label %33 [
    i32 8, label %3
    i32 11, label %6
    i32 0, label %9
    i32 2, label %11
    i32 10, label %14
    i32 1, label %34
    i32 7, label %32
    i32 3, label %28
    i32 4, label %29
    i32 5, label %30
    i32 6, label %31
  ]

3:
  %4 = trunc i32 %1 to i8
  %5 = sitofp i8 %4 to float
  br label %91

6:
  %7 = trunc i32 %1 to i8
  %8 = uitofp i8 %7 to float
  br label %91

9:
  %10 = bitcast i32 %1 to float
  br label %91

11:
  %12 = shl i32 %1, 16
  %13 = bitcast i32 %12 to float
  br label %91

14:
  %15 = icmp eq i32 %1, 255
  br i1 %15, label %91, label %16

16:
  %17 = icmp sgt i32 %1, 0
  br i1 %17, label %18, label %20

18:
  %19 = shl i32 %1, 23
  br label %25

20:
  %21 = icmp sgt i32 %1, -23
  %22 = add nsw i32 %1, 22
  %23 = shl nuw nsw i32 1, %22
  %24 = select i1 %21, i32 %23, i32 0
  br label %25

25:
  %26 = phi i32 [ %19, %18 ], [ %24, %20 ]
  %27 = bitcast i32 %26 to float
  br label %91

28:
  br label %34

29:
  br label %34

30:
  br label %34

31:
  br label %34

32:
  br label %34

33:
  br label %34

34:
  %35 = phi i64 [ 98784247816, %33 ], [ 4294967298, %32 ], [ 42949672965, %2 ], [ 12884901892, %28 ], [ 8589934597, %29 ], [ 12884901890, %30 ], [ 8589934595, %31 ]
  %36 = phi i1 [ true, %33 ], [ false, %32 ], [ true, %2 ], [ true, %28 ], [ true, %29 ], [ false, %30 ], [ false, %31 ]
  %37 = phi i1 [ true, %33 ], [ false, %32 ], [ true, %2 ], [ false, %28 ], [ true, %29 ], [ false, %30 ], [ false, %31 ]
  %38 = phi i32 [ -127, %33 ], [ -1, %32 ], [ -15, %2 ], [ -7, %28 ], [ -15, %29 ], [ -1, %30 ], [ -3, %31 ]
  %39 = trunc i64 %35 to i32
  %40 = shl nsw i32 -1, %39
  %41 = xor i32 %40, -1
  %42 = lshr i64 %35, 32
  %43 = trunc nuw nsw i64 %42 to i32
  %44 = shl nuw nsw i32 1, %43
  %45 = add nsw i32 %44, -1
  %46 = lshr i32 %1, %43
  %47 = and i32 %46, %41
  %48 = and i32 %45, %1
  %49 = add nuw nsw i32 %43, %39
  %50 = lshr i32 %1, %49
  %51 = and i32 %50, 1
  %52 = icmp eq i32 %47, %41
  %53 = and i1 %36, %52
  br i1 %53, label %54, label %72

54:
  %55 = icmp eq i32 %48, 0
  %56 = select i1 %37, i1 %55, i1 false
  br i1 %56, label %57, label %61

57:
  %58 = shl nuw i32 %51, 31
  %59 = or disjoint i32 %58, 2139095040
  %60 = bitcast i32 %59 to float
  br label %91

61:
  %62 = icmp eq i32 %48, %45
  %63 = select i1 %37, i1 true, i1 %62
  br i1 %63, label %64, label %72

64:
  %65 = shl nuw i32 %51, 31
  %66 = sub nuw nsw i32 23, %43
  %67 = shl i32 %48, %66
  %68 = select i1 %37, i32 %67, i32 0
  %69 = or i32 %65, %68
  %70 = or i32 %69, 2143289344
  %71 = bitcast i32 %70 to float
  br label %91

72:
  %73 = icmp eq i32 %47, 0
  %74 = tail call i32 @llvm.umax.i32(i32 %47, i32 1)
  %75 = sub nuw nsw i32 %38, %43
  %76 = add nsw i32 %75, %74
  %77 = select i1 %73, i32 0, i32 %44
  %78 = or i32 %77, %48
  %79 = uitofp nneg i32 %78 to float
  %80 = icmp sgt i32 %76, -127
  %81 = shl i32 %76, 23
  %82 = add i32 %81, 1065353216
  %83 = add nsw i32 %76, 149
  %84 = shl nuw nsw i32 1, %83
  %85 = select i1 %80, i32 %82, i32 %84
  %86 = bitcast i32 %85 to float
  %87 = fmul float %79, %86
  %88 = icmp eq i32 %51, 0
  %89 = fneg float %87
  %90 = select i1 %88, float %87, float %89
  br label %91

91:
  %92 = phi float [ %5, %3 ], [ %8, %6 ], [ %10, %9 ], [ %13, %11 ], [ 0x7FF8000000000000, %14 ], [ %27, %25 ], [ %60, %57 ], [ %71, %64 ], [ %90, %72 ]
  ret float %92
}

define i32 @encode(i32 noundef %0, float noundef %1, i32 noundef %2) local_unnamed_addr {
  switch i32 %0, label %12 [
    i32 0, label %4
    i32 1, label %13
    i32 2, label %6
    i32 3, label %7
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
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 108
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %15, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 12736
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
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 108
  %10 = load i32, ptr %9, align 4
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %16, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12736
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
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 108
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %15, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 12736
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
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 108
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %18, label %11

11:
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 12736
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
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 108
  %10 = load i32, ptr %9, align 4
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %31, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12736
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
  %165 = phi i32 [ 128, %151 ], [ 128, %97 ], [ 128, %101 ], [ 128, %125 ], [ -128, %137 ], [ 128, %161 ]
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
  %177 = phi i32 [ 64, %149 ], [ 64, %157 ], [ 64, %99 ], [ 64, %95 ], [ -64, %135 ], [ 64, %153 ], [ 64, %123 ]
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
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 108
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %34, label %11

11:
  %12 = icmp eq i32 %4, 0
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12736
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
  %36 = phi i64 [ 0, %11 ], [ %103, %102 ]
  %37 = shl nuw i64 1, %36
  %38 = and i64 %37, %2
  %39 = icmp eq i64 %38, 0
  br i1 %39, label %102, label %40

40:
  %41 = getelementptr inbounds nuw i32, ptr %15, i64 %36
  br i1 %12, label %42, label %52

42:
  %43 = load float, ptr %41, align 4
  %44 = getelementptr inbounds nuw i32, ptr %18, i64 %36
  %45 = load float, ptr %44, align 4
  %46 = getelementptr inbounds nuw i32, ptr %21, i64 %36
  %47 = load float, ptr %46, align 4
  %48 = tail call float @llvm.fma.f32(float %43, float %45, float %47)
  %49 = getelementptr inbounds nuw i32, ptr %24, i64 %36
  %50 = load i32, ptr %49, align 4
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %100, label %88

52:
  %53 = load i32, ptr %41, align 4
  %54 = zext i32 %53 to i64
  %55 = getelementptr inbounds nuw i32, ptr %18, i64 %36
  %56 = load i32, ptr %55, align 4
  %57 = zext i32 %56 to i64
  %58 = shl nuw i64 %57, 32
  %59 = or disjoint i64 %58, %54
  %60 = bitcast i64 %59 to double
  %61 = getelementptr inbounds nuw i32, ptr %21, i64 %36
  %62 = load i32, ptr %61, align 4
  %63 = zext i32 %62 to i64
  %64 = getelementptr inbounds nuw i32, ptr %24, i64 %36
  %65 = load i32, ptr %64, align 4
  %66 = zext i32 %65 to i64
  %67 = shl nuw i64 %66, 32
  %68 = or disjoint i64 %67, %63
  %69 = bitcast i64 %68 to double
  %70 = getelementptr inbounds nuw i32, ptr %27, i64 %36
  %71 = load i32, ptr %70, align 4
  %72 = zext i32 %71 to i64
  %73 = getelementptr inbounds nuw i32, ptr %30, i64 %36
  %74 = load i32, ptr %73, align 4
  %75 = zext i32 %74 to i64
  %76 = shl nuw i64 %75, 32
  %77 = or disjoint i64 %76, %72
  %78 = bitcast i64 %77 to double
  %79 = tail call double @llvm.fma.f64(double %60, double %69, double %78)
  %80 = getelementptr inbounds nuw i32, ptr %33, i64 %36
  %81 = load i32, ptr %80, align 4
  %82 = icmp eq i32 %81, 0
  br i1 %82, label %94, label %83

83:
  %84 = and i32 %74, 1073741824
  %85 = icmp eq i32 %84, 0
  %86 = select i1 %85, i32 -128, i32 128
  %87 = tail call double @ldexp(double noundef %79, i32 noundef range(i32 -128, 129) %86)
  br label %94

88:
  %89 = bitcast float %47 to i32
  %90 = and i32 %89, 1073741824
  %91 = icmp eq i32 %90, 0
  %92 = select i1 %91, i32 -64, i32 64
  %93 = tail call float @ldexpf(float noundef %48, i32 noundef range(i32 -128, 129) %92)
  br label %100

94:
  %95 = phi double [ %79, %52 ], [ %87, %83 ]
  %96 = bitcast double %95 to i64
  %97 = trunc i64 %96 to i32
  store i32 %97, ptr %41, align 4
  %98 = lshr i64 %96, 32
  %99 = trunc nuw i64 %98 to i32
  store i32 %99, ptr %55, align 4
  br label %102

100:
  %101 = phi float [ %93, %88 ], [ %48, %42 ]
  store float %101, ptr %41, align 4
  br label %102

102:
  %103 = add nuw nsw i64 %36, 1
  %104 = load i32, ptr %8, align 4
  %105 = zext i32 %104 to i64
  %106 = icmp samesign ult i64 %103, %105
  br i1 %106, label %35, label %34
}

declare double @llvm.fma.f64(double, double, double)

declare float @llvm.fma.f32(float, float, float)

define void @lm_div_fixup(ptr noundef captures(none) %0, i32 noundef %1, i64 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = icmp eq i32 %4, 0
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 108
  %10 = load i32, ptr %9, align 4
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %33, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 12736
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
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 108
  %8 = load i32, ptr %7, align 4
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %20, label %10

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 12736
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
  %22 = phi i32 [ %8, %10 ], [ %232, %231 ]
  %23 = phi i64 [ 0, %10 ], [ %233, %231 ]
  %24 = shl nuw i64 1, %23
  %25 = and i64 %24, %2
  %26 = icmp eq i64 %25, 0
  br i1 %26, label %231, label %27

27:
  %28 = getelementptr inbounds nuw i32, ptr %13, i64 %23
  %29 = load i32, ptr %28, align 4
  %30 = lshr i32 %29, 10
  %31 = and i32 %30, 31
  %32 = and i32 %29, 1023
  %33 = lshr i32 %29, 15
  %34 = and i32 %33, 1
  %35 = icmp eq i32 %31, 31
  br i1 %35, label %36, label %47

36:
  %37 = icmp eq i32 %32, 0
  %38 = shl nuw i32 %34, 31
  br i1 %37, label %39, label %42

39:
  %40 = or disjoint i32 %38, 2139095040
  %41 = bitcast i32 %40 to float
  br label %60

42:
  %43 = shl nuw nsw i32 %32, 13
  %44 = or disjoint i32 %38, %43
  %45 = or i32 %44, 2143289344
  %46 = bitcast i32 %45 to float
  br label %60

47:
  %48 = icmp eq i32 %31, 0
  %49 = tail call i32 @llvm.umax.i32(i32 %31, i32 1)
  %50 = select i1 %48, i32 0, i32 1024
  %51 = or disjoint i32 %50, %32
  %52 = uitofp nneg i32 %51 to float
  %53 = shl nuw nsw i32 %49, 23
  %54 = add nuw nsw i32 %53, 855638016
  %55 = bitcast i32 %54 to float
  %56 = fmul float %52, %55
  %57 = icmp eq i32 %34, 0
  %58 = fneg float %56
  %59 = select i1 %57, float %56, float %58
  br label %60

60:
  %61 = phi float [ %41, %39 ], [ %46, %42 ], [ %59, %47 ]
  %62 = fpext float %61 to double
  %63 = getelementptr inbounds nuw i32, ptr %16, i64 %23
  %64 = load i32, ptr %63, align 4
  %65 = lshr i32 %64, 10
  %66 = and i32 %65, 31
  %67 = and i32 %64, 1023
  %68 = lshr i32 %64, 15
  %69 = and i32 %68, 1
  %70 = icmp eq i32 %66, 31
  br i1 %70, label %71, label %82

71:
  %72 = icmp eq i32 %67, 0
  %73 = shl nuw i32 %69, 31
  br i1 %72, label %74, label %77

74:
  %75 = or disjoint i32 %73, 2139095040
  %76 = bitcast i32 %75 to float
  br label %95

77:
  %78 = shl nuw nsw i32 %67, 13
  %79 = or disjoint i32 %73, %78
  %80 = or i32 %79, 2143289344
  %81 = bitcast i32 %80 to float
  br label %95

82:
  %83 = icmp eq i32 %66, 0
  %84 = tail call i32 @llvm.umax.i32(i32 %66, i32 1)
  %85 = select i1 %83, i32 0, i32 1024
  %86 = or disjoint i32 %85, %67
  %87 = uitofp nneg i32 %86 to float
  %88 = shl nuw nsw i32 %84, 23
  %89 = add nuw nsw i32 %88, 855638016
  %90 = bitcast i32 %89 to float
  %91 = fmul float %87, %90
  %92 = icmp eq i32 %69, 0
  %93 = fneg float %91
  %94 = select i1 %92, float %91, float %93
  br label %95

95:
  %96 = phi float [ %76, %74 ], [ %81, %77 ], [ %94, %82 ]
  %97 = fpext float %96 to double
  %98 = fmul double %62, %97
  %99 = getelementptr inbounds nuw i32, ptr %19, i64 %23
  %100 = load i32, ptr %99, align 4
  %101 = lshr i32 %100, 10
  %102 = and i32 %101, 31
  %103 = and i32 %100, 1023
  %104 = lshr i32 %100, 15
  %105 = and i32 %104, 1
  %106 = icmp eq i32 %102, 31
  br i1 %106, label %107, label %118

107:
  %108 = icmp eq i32 %103, 0
  %109 = shl nuw i32 %105, 31
  br i1 %108, label %110, label %113

110:
  %111 = or disjoint i32 %109, 2139095040
  %112 = bitcast i32 %111 to float
  br label %131

113:
  %114 = shl nuw nsw i32 %103, 13
  %115 = or disjoint i32 %109, %114
  %116 = or i32 %115, 2143289344
  %117 = bitcast i32 %116 to float
  br label %131

118:
  %119 = icmp eq i32 %102, 0
  %120 = tail call i32 @llvm.umax.i32(i32 %102, i32 1)
  %121 = select i1 %119, i32 0, i32 1024
  %122 = or disjoint i32 %121, %103
  %123 = uitofp nneg i32 %122 to float
  %124 = shl nuw nsw i32 %120, 23
  %125 = add nuw nsw i32 %124, 855638016
  %126 = bitcast i32 %125 to float
  %127 = fmul float %123, %126
  %128 = icmp eq i32 %105, 0
  %129 = fneg float %127
  %130 = select i1 %128, float %127, float %129
  br label %131

131:
  %132 = phi float [ %112, %110 ], [ %117, %113 ], [ %130, %118 ]
  %133 = fpext float %132 to double
  %134 = fadd double %98, %133
  %135 = fsub double %134, %98
  %136 = fsub double %134, %135
  %137 = fsub double %98, %136
  %138 = fsub double %133, %135
  %139 = fadd double %138, %137
  %140 = fcmp une double %139, 0.000000e+00
  br i1 %140, label %141, label %155

141:
  %142 = bitcast double %134 to i64
  %143 = and i64 %142, 1
  %144 = icmp eq i64 %143, 0
  %145 = fsub double %134, %134
  %146 = fcmp ord double %145, %134
  %147 = and i1 %146, %144
  br i1 %147, label %148, label %155

148:
  %149 = fcmp ogt double %139, 0.000000e+00
  %150 = fcmp ule double %134, 0.000000e+00
  %151 = xor i1 %150, %149
  %152 = select i1 %151, i64 1, i64 -1
  %153 = add i64 %152, %142
  %154 = bitcast i64 %153 to double
  br label %155

155:
  %156 = phi double [ %134, %141 ], [ %134, %131 ], [ %154, %148 ]
  %157 = fptrunc double %156 to float
  %158 = fpext float %157 to double
  %159 = fsub double %156, %158
  %160 = fcmp une double %159, 0.000000e+00
  br i1 %160, label %161, label %177

161:
  %162 = bitcast float %157 to i32
  %163 = and i32 %162, 1
  %164 = icmp eq i32 %163, 0
  br i1 %164, label %165, label %177

165:
  %166 = fsub double %158, %158
  %167 = fcmp ord double %166, 0.000000e+00
  %168 = fcmp ord float %157, 0.000000e+00
  %169 = and i1 %168, %167
  br i1 %169, label %170, label %177

170:
  %171 = fcmp ogt double %159, 0.000000e+00
  %172 = fcmp ule double %156, 0.000000e+00
  %173 = xor i1 %172, %171
  %174 = select i1 %173, i32 1, i32 -1
  %175 = add i32 %174, %162
  %176 = bitcast i32 %175 to float
  br label %177

177:
  %178 = phi float [ %157, %161 ], [ %157, %165 ], [ %157, %155 ], [ %176, %170 ]
  %179 = bitcast float %178 to i32
  %180 = tail call float @llvm.fabs.f32(float %178)
  %181 = bitcast float %180 to i32
  %182 = lshr i32 %179, 16
  %183 = and i32 %182, 32768
  %184 = icmp samesign ugt i32 %181, 2139095040
  br i1 %184, label %185, label %187

185:
  %186 = or disjoint i32 %183, 32256
  br label %228

187:
  %188 = lshr i32 %181, 23
  %189 = icmp eq i32 %188, 0
  %190 = add nsw i32 %188, -127
  %191 = select i1 %189, i32 -126, i32 %190
  %192 = icmp slt i32 %191, -14
  %193 = sub nsw i32 -24, %191
  %194 = select i1 %192, i32 %193, i32 -10
  %195 = icmp sgt i32 %194, 2
  br i1 %195, label %221, label %196

196:
  %197 = add nsw i32 %194, 23
  %198 = and i32 %181, 8388607
  %199 = or disjoint i32 %198, 8388608
  %200 = select i1 %189, i32 %198, i32 %199
  %201 = lshr i32 %200, %197
  %202 = shl nsw i32 -1, %197
  %203 = xor i32 %202, -1
  %204 = and i32 %200, %203
  %205 = add nsw i32 %194, 22
  %206 = shl nuw nsw i32 1, %205
  %207 = icmp samesign ugt i32 %204, %206
  br i1 %207, label %214, label %208

208:
  %209 = icmp eq i32 %204, %206
  %210 = and i32 %201, 1
  %211 = icmp ne i32 %210, 0
  %212 = select i1 %209, i1 %211, i1 false
  %213 = zext i1 %212 to i32
  br label %214

214:
  %215 = phi i32 [ 1, %196 ], [ %213, %208 ]
  %216 = shl nsw i32 %191, 10
  %217 = add nsw i32 %216, 14336
  %218 = select i1 %192, i32 0, i32 %217
  %219 = add nsw i32 %201, %218
  %220 = add nsw i32 %219, %215
  br label %221

221:
  %222 = phi i32 [ %220, %214 ], [ 0, %187 ]
  %223 = icmp eq i32 %181, 2139095040
  %224 = icmp ugt i32 %222, 31743
  %225 = select i1 %223, i1 true, i1 %224
  %226 = select i1 %225, i32 31744, i32 %222
  %227 = or i32 %226, %183
  br label %228

228:
  %229 = phi i32 [ %227, %221 ], [ %186, %185 ]
  store i32 %229, ptr %28, align 4
  %230 = load i32, ptr %7, align 4
  br label %231

231:
  %232 = phi i32 [ %22, %21 ], [ %230, %228 ]
  %233 = add nuw nsw i64 %23, 1
  %234 = zext i32 %232 to i64
  %235 = icmp samesign ult i64 %233, %234
  br i1 %235, label %21, label %20
}

define void @lm_join(ptr noundef captures(none) %0, i32 noundef %1) local_unnamed_addr {
  %3 = alloca [32 x i64], align 16
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = icmp eq i64 %5, 0
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 352
  br label %10

9:
  ret void

10:
  %11 = phi i1 [ true, %2 ], [ false, %59 ]
  %12 = phi i64 [ 0, %2 ], [ 1, %59 ]
  call void @llvm.lifetime.start.p0(ptr nonnull %3)
  br i1 %6, label %59, label %13

13:
  %14 = getelementptr inbounds nuw [32 x i64], ptr %8, i64 %12
  br label %17

15:
  %16 = getelementptr inbounds nuw [32 x i64], ptr %8, i64 %12
  br label %60

17:
  %18 = phi i64 [ 0, %13 ], [ %40, %39 ]
  %19 = trunc nuw i64 %18 to i32
  %20 = shl nuw i32 1, %19
  %21 = and i32 %20, %1
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %35, label %23

23:
  %24 = getelementptr inbounds nuw ptr, ptr %7, i64 %18
  %25 = load ptr, ptr %24, align 8
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 40
  %27 = load ptr, ptr %26, align 8
  %28 = getelementptr inbounds nuw i8, ptr %27, i64 144
  %29 = load i64, ptr %28, align 8
  %30 = icmp eq i64 %29, 0
  %31 = select i1 %30, i64 88, i64 72
  %32 = getelementptr inbounds nuw i8, ptr %25, i64 %31
  %33 = getelementptr inbounds nuw i64, ptr %32, i64 %12
  %34 = load i64, ptr %33, align 8
  br label %35

35:
  %36 = phi i64 [ %34, %23 ], [ 0, %17 ]
  %37 = getelementptr inbounds nuw i64, ptr %3, i64 %18
  store i64 %36, ptr %37, align 8
  %38 = getelementptr inbounds nuw i64, ptr %14, i64 %18
  br label %43

39:
  %40 = add i64 %18, 1
  %41 = and i64 %40, 4294967295
  %42 = icmp samesign ugt i64 %5, %41
  br i1 %42, label %17, label %15

43:
  %44 = phi i64 [ %36, %35 ], [ %55, %54 ]
  %45 = phi i64 [ 0, %35 ], [ %57, %54 ]
  %46 = phi i32 [ 0, %35 ], [ %56, %54 ]
  %47 = shl nuw i32 1, %46
  %48 = and i32 %47, %1
  %49 = icmp eq i32 %48, 0
  br i1 %49, label %54, label %50

50:
  %51 = getelementptr inbounds nuw [2 x [32 x i64]], ptr %38, i64 %45
  %52 = load i64, ptr %51, align 8
  %53 = tail call i64 @llvm.umax.i64(i64 %52, i64 %44)
  store i64 %53, ptr %37, align 8
  br label %54

54:
  %55 = phi i64 [ %53, %50 ], [ %44, %43 ]
  %56 = add i32 %46, 1
  %57 = zext i32 %56 to i64
  %58 = icmp ugt i64 %5, %57
  br i1 %58, label %43, label %39

59:
  call void @llvm.lifetime.end.p0(ptr nonnull %3)
  br i1 %11, label %10, label %9

60:
  %61 = phi i64 [ 0, %15 ], [ %78, %77 ]
  %62 = trunc nuw i64 %61 to i32
  %63 = shl nuw i32 1, %62
  %64 = and i32 %63, %1
  %65 = icmp eq i32 %64, 0
  br i1 %65, label %77, label %66

66:
  %67 = getelementptr inbounds nuw [2 x [32 x i64]], ptr %16, i64 %61
  br label %68

68:
  %69 = phi i64 [ 0, %66 ], [ %75, %68 ]
  %70 = phi i32 [ 0, %66 ], [ %74, %68 ]
  %71 = getelementptr inbounds nuw i64, ptr %3, i64 %69
  %72 = load i64, ptr %71, align 8
  %73 = getelementptr inbounds nuw i64, ptr %67, i64 %69
  store i64 %72, ptr %73, align 8
  %74 = add i32 %70, 1
  %75 = zext i32 %74 to i64
  %76 = icmp ugt i64 %5, %75
  br i1 %76, label %68, label %77

77:
  %78 = add i64 %61, 1
  %79 = and i64 %78, 4294967295
  %80 = icmp ugt i64 %5, %79
  br i1 %80, label %60, label %59
}

define void @lm_segment(ptr noundef captures(none) %0, i32 noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %4 = load i32, ptr %3, align 8
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %80, label %6

6:
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 64
  %10 = load ptr, ptr %9, align 8
  %11 = zext i32 %1 to i64
  %12 = getelementptr inbounds nuw %struct.Segment, ptr %10, i64 %11
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 4
  %14 = load i32, ptr %13, align 4
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %80, label %16

16:
  %17 = getelementptr inbounds nuw i8, ptr %8, i64 72
  %18 = load ptr, ptr %17, align 8
  %19 = load i32, ptr %12, align 4
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 1424
  %22 = zext i32 %14 to i64
  %23 = zext i32 %4 to i64
  br label %24

24:
  %25 = phi i64 [ 0, %16 ], [ %78, %77 ]
  %26 = trunc nuw i64 %25 to i32
  %27 = add i32 %19, %26
  %28 = zext i32 %27 to i64
  %29 = getelementptr inbounds nuw %struct.SegmentWord, ptr %18, i64 %28
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds nuw i64, ptr %20, i64 %30
  %32 = load i64, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %29, i64 8
  %34 = load i64, ptr %33, align 8
  %35 = and i64 %34, %32
  %36 = icmp eq i64 %35, 0
  br i1 %36, label %77, label %37

37:
  %38 = trunc i64 %30 to i32
  %39 = shl i32 %38, 6
  br label %40

40:
  %41 = phi i64 [ 0, %37 ], [ %46, %45 ]
  %42 = shl nuw nsw i64 1, %41
  %43 = and i64 %42, %35
  %44 = icmp eq i64 %43, 0
  br i1 %44, label %45, label %48

45:
  %46 = add nuw nsw i64 %41, 1
  %47 = icmp eq i64 %46, 63
  br i1 %47, label %50, label %40

48:
  %49 = trunc nuw nsw i64 %41 to i32
  br label %50

50:
  %51 = phi i32 [ %49, %48 ], [ 63, %45 ]
  %52 = add i32 %51, %39
  br label %56

53:
  %54 = add nuw nsw i64 %57, 1
  %55 = icmp eq i64 %54, %23
  br i1 %55, label %77, label %56

56:
  %57 = phi i64 [ 0, %50 ], [ %54, %53 ]
  %58 = getelementptr inbounds nuw %struct.Outstanding, ptr %21, i64 %57
  %59 = getelementptr inbounds nuw i8, ptr %58, i64 8
  %60 = load i32, ptr %59, align 8
  %61 = sub i32 %52, %60
  %62 = getelementptr inbounds nuw i8, ptr %58, i64 12
  %63 = load i32, ptr %62, align 4
  %64 = icmp ult i32 %61, %63
  br i1 %64, label %65, label %53

65:
  %66 = getelementptr inbounds nuw i8, ptr %58, i64 4
  %67 = load i32, ptr %66, align 4
  %68 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %69 = load i64, ptr %68, align 8
  %70 = tail call ptr @lm_hazard(ptr noundef nonnull %0, i32 noundef 4, i32 noundef %67, i64 noundef %69)
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 12
  store i32 %1, ptr %71, align 4
  %72 = zext i32 %52 to i64
  %73 = getelementptr inbounds nuw i8, ptr %70, i64 48
  store i64 %72, ptr %73, align 8
  %74 = load i32, ptr %58, align 8
  %75 = zext i32 %74 to i64
  %76 = getelementptr inbounds nuw i8, ptr %70, i64 56
  store i64 %75, ptr %76, align 8
  br label %80

77:
  %78 = add nuw nsw i64 %25, 1
  %79 = icmp eq i64 %78, %22
  br i1 %79, label %80, label %24

80:
  ret void
}

define void @lm_issue(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr {
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %9 = load i32, ptr %8, align 8
  switch i32 %9, label %10 [
    i32 256, label %16
    i32 0, label %20
  ]

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 1424
  %12 = add i32 %4, %3
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %14 = zext i32 %3 to i64
  %15 = zext i32 %2 to i64
  br label %31

16:
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %18 = load i64, ptr %17, align 8
  %19 = tail call ptr @lm_hazard(ptr noundef nonnull %0, i32 noundef 8, i32 noundef %2, i64 noundef %18)
  br label %93

20:
  %21 = phi i32 [ %9, %7 ], [ %64, %63 ]
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 1424
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
  %69 = getelementptr inbounds nuw i8, ptr %0, i64 72
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
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 144
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
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %162, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 1424
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
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 1424
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %34 = zext i32 %5 to i64
  br label %40

35:
  store i32 %63, ptr %4, align 8
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 144
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
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 1424
  %96 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %97 = zext i32 %5 to i64
  br label %103

98:
  store i32 %134, ptr %4, align 8
  %99 = getelementptr inbounds nuw i8, ptr %0, i64 144
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

declare double @llvm.exp2.f64(double)

declare double @llvm.log2.f64(double)

declare double @llvm.sqrt.f64(double)

declare double @llvm.floor.f64(double)

declare double @llvm.sin.f64(double)

declare double @llvm.cos.f64(double)

declare double @llvm.tanh.f64(double)

declare double @ldexp(double noundef, i32 noundef) local_unnamed_addr

declare float @ldexpf(float noundef, i32 noundef) local_unnamed_addr

define internal fastcc void @conflict(ptr noundef captures(none) %0, i32 noundef %1, i32 noundef %2, ptr noundef readonly captures(none) %3, i64 noundef range(i64 0, 4611686018427387904) %4, i32 noundef %5, i32 noundef range(i32 1, 3) %6, i64 noundef %7, i32 noundef %8) unnamed_addr {
  %10 = zext nneg i32 %2 to i64
  %11 = shl nuw i64 1, %10
  %12 = tail call ptr @lm_hazard(ptr noundef %0, i32 noundef 5, i32 noundef %1, i64 noundef %11)
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %14 = load i32, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %12, i64 84
  store i32 %14, ptr %15, align 4
  %16 = icmp eq i32 %14, 1
  br i1 %16, label %17, label %24

17:
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %19 = load ptr, ptr %18, align 8
  %20 = getelementptr inbounds nuw i8, ptr %19, i64 336
  %21 = load i64, ptr %20, align 8
  %22 = shl nuw i64 %4, 2
  %23 = add i64 %21, %22
  br label %32

24:
  %25 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %26 = load ptr, ptr %25, align 8
  %27 = load i64, ptr %26, align 8
  %28 = shl nuw i64 %4, 2
  %29 = add i64 %27, %28
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %31 = load ptr, ptr %30, align 8
  br label %32

32:
  %33 = phi ptr [ %19, %17 ], [ %31, %24 ]
  %34 = phi i64 [ %23, %17 ], [ %29, %24 ]
  %35 = getelementptr inbounds nuw i8, ptr %12, i64 32
  store i64 %34, ptr %35, align 8
  %36 = getelementptr inbounds nuw i8, ptr %12, i64 40
  store i64 4, ptr %36, align 8
  %37 = shl nuw nsw i32 %6, 8
  %38 = or i32 %37, %5
  %39 = getelementptr inbounds nuw i8, ptr %12, i64 12
  store i32 %38, ptr %39, align 4
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %41 = load ptr, ptr %40, align 8
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 88
  %43 = load i64, ptr %42, align 8
  %44 = sub i64 %7, %43
  %45 = getelementptr inbounds nuw i8, ptr %12, i64 48
  store i64 %44, ptr %45, align 8
  %46 = zext i32 %8 to i64
  %47 = getelementptr inbounds nuw i8, ptr %12, i64 56
  store i64 %46, ptr %47, align 8
  %48 = load i64, ptr %33, align 8
  %49 = icmp eq i64 %7, %48
  %50 = zext i1 %49 to i64
  %51 = getelementptr inbounds nuw i8, ptr %12, i64 64
  store i64 %50, ptr %51, align 8
  ret void
}

declare i64 @llvm.umax.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)

declare i32 @llvm.umin.i32(i32, i32)

declare i32 @llvm.umax.i32(i32, i32)

declare float @llvm.fabs.f32(float)

declare double @llvm.fabs.f64(double)

declare i32 @llvm.usub.sat.i32(i32, i32)

declare i1 @llvm.is.fpclass.f64(double, i32 immarg)

declare i1 @llvm.is.fpclass.f32(float, i32 immarg)

