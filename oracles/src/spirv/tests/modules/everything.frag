#version 450
layout(location=0) in vec4 v;
layout(location=1) in mat3 mm;
layout(location=5) in float arr[2];
layout(location=0) out vec4 o;
layout(location=2) out ivec2 oi;
layout(set=1,binding=0) uniform sampler2D t;
layout(set=1,binding=1) uniform samplerCube tc;
layout(set=1,binding=2) uniform sampler2DShadow ts;
layout(set=1,binding=3) uniform usampler2D tu;
layout(set=1,binding=4) uniform texture2D t0;
layout(set=2,binding=4) uniform sampler s0;
layout(set=0,binding=0,std140,row_major) uniform U { mat4 m; mat3 n[2]; vec3 p; float q; } u;
const float lut[4] = float[](1.,2.,4.,8.);
struct S { vec2 a; float b[3]; mat2 c; };
vec4 look(sampler2D x, vec2 c){ return texture(x,c)+textureOffset(x,c,ivec2(1,2)); }
vec4 look2(texture2D x, sampler y, vec2 c){ return texture(sampler2D(x,y),c); }
S mk(float f){ S s; s.a=vec2(f); s.b=float[](f,f,f); s.c=mat2(f); return s; }
void main(){
  int k=int(v.x);
  S s=mk(v.y); S s2=s; bool eq = s==s2;
  o = look(t,v.xy)*lut[k&3] + u.m*v + vec4(mm*v.xyz,arr[k&1]) + look2(t0,s0,v.xy);
  o.xyz += u.n[k&1]*u.p + u.n[1][k];
  o += texture(tc,v.xyz)+textureLod(tc,v.xyz,1.)+textureGather(t,v.xy,2);
  o.x += texture(ts,v.xyz)+textureProj(ts,v)+textureGather(ts,v.xy,.5).y;
  uvec4 g=texture(tu,v.xy)+texelFetch(tu,ivec2(k),0);
  oi=ivec2(g.xy)+ivec2(textureSize(tc,0))+textureQueryLevels(t);
  o.xy+=textureQueryLod(t,v.xy);
  o.w += eq ? s.b[k] : s.c[1][k&1];
  float e; int ex; o.z+=modf(v.z,e)+frexp(v.w,ex)+ldexp(v.x,ex)+e; 
  o.x+=fwidth(v.x)+dFdxFine(v.y)+pow(v.x,v.y)+smoothstep(0.,1.,v.x)+mix(v.x,v.y,v.z)+step(v.x,v.y)+atan(v.x,v.y)+mod(v.x,v.y)+faceforward(v,v,v).x+reflect(v,v).y+refract(v,v,.5).z;
  o = mix(o, v, lessThan(v, vec4(1.)));
  o += isnan(v.x)||isinf(v.y) ? vec4(1):vec4(0);
  o.x += any(equal(v,o))?1.:0.; 
  o *= transpose(u.m); o.x += determinant(u.m)+inverse(u.m)[0][0];
  uint c; o.x += float(uaddCarry(uint(k),3u,c)) + float(c);
  vec4 tmp[4]=vec4[](v,v,v,v); tmp[k]=o; vec4 w[4]; w=tmp; o+=w[1]; tmp[2][k]=1.;
  for(int i=0;i<3;++i) for(int j=0;j<3;++j) { if(j==k) break; o[i]+=float(j); }
  do { if(k>100) break; k+=7; } while(k<50);
  if(gl_HelperInvocation) o.x=1.;
  oi += bitfieldExtract(oi,1,3)+bitfieldInsert(oi,oi,3,4)+findMSB(oi)+bitCount(oi);
  o.y += unpackHalf2x16(packHalf2x16(v.xy)).x+unpackSnorm4x8(packSnorm4x8(v)).y;
  vec4 h = v; h.zw *= 2.; h = h.wzyx; o+=h; o.x += dot(h,h)+length(h.xyz);
  gl_SampleMask[0]=3;
}
