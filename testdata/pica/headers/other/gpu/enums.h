// Names and numbers only: see SOURCE.txt.
typedef enum
{
	GPU_BYTE = 0,
	GPU_UNSIGNED_BYTE = 1,
	GPU_SHORT = 4 /* 2 */,
	GPU_FLOAT = 3,
} GPU_FORMATS;
