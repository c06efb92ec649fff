/* The part of the library of kernels that does not depend on the kernels: what they call, and how Python's arguments
 * become theirs. builder.py writes the kernels into this file, where it says so.
 */

#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include <Python.h>
#include <math.h>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef _MSC_VER
#include <windows.h>
#define SUBTRACT_ONE(number) InterlockedDecrement64((LONG64 *)(number))
#else
#define SUBTRACT_ONE(number) __atomic_sub_fetch(number, 1, __ATOMIC_ACQ_REL)
#endif

/* ---- Memory that kernels allocate: numba's own run-time functions (numba/core/runtime/nrt.cpp), as its code calls
 * them. The kernels themselves count references; the last one calls NRT_MemInfo_call_dtor. */

typedef void (*Destructor)(void *data, size_t size, void *info);

typedef struct {
    size_t references;
    Destructor destructor;
    void *destructor_info;
    void *data;
    size_t size;
    void *external_allocator;
} Memory;

void *NRT_Allocate(size_t size) { return malloc(size); }

void NRT_Free(void *data) { free(data); }

/* Allocate a Memory and, right behind it, its data; `align` is a power of two. */
Memory *NRT_MemInfo_alloc_aligned(size_t size, unsigned align)
{
    char *base = malloc(sizeof(Memory) + size + 2 * (size_t)align);
    if (base == NULL)
        return NULL;
    uintptr_t data = ((uintptr_t)(base + sizeof(Memory)) + align - 1) & ~((uintptr_t)align - 1);
    Memory *memory = (Memory *)base;
    *memory = (Memory){.references = 1, .data = (void *)data, .size = size};
    return memory;
}

Memory *NRT_MemInfo_alloc(size_t size) { return NRT_MemInfo_alloc_aligned(size, 16); }

void NRT_MemInfo_call_dtor(Memory *memory)
{
    if (memory->destructor)
        memory->destructor(memory->data, memory->size, memory->destructor_info);
    free(memory);
}

/* Memory that can grow, of lists: the data stand apart. */
static void free_growing(void *data, size_t size, void *info)
{
    if (info)
        ((void (*)(void *))info)(data);
    free(data);
}

Memory *NRT_MemInfo_new_varsize_dtor(size_t size, void *element_destructor)
{
    Memory *memory = malloc(sizeof(Memory));
    void *data = malloc(size);
    if (memory == NULL || data == NULL) {
        free(memory);
        free(data);
        return NULL;
    }
    *memory = (Memory){1, free_growing, element_destructor, data, size, NULL};
    return memory;
}

void *NRT_MemInfo_varsize_realloc(Memory *memory, size_t size)
{
    void *data = realloc(memory->data, size);
    memory->data = data;
    if (data)
        memory->size = size;
    return data;
}

static void give_back(Memory *memory)
{
    if (memory && SUBTRACT_ONE(&memory->references) == 0)
        NRT_MemInfo_call_dtor(memory);
}

double numba_ldexp(double x, int exponent) { return ldexp(x, exponent); }

double numba_frexp(double x, int *exponent)
{
    *exponent = 0;
    return isfinite(x) ? frexp(x, exponent) : x;
}

/* Find strides with which an array has another shape, without moving its elements; return whether there are any.
 *
 * Both shapes are walked side by side, slowest axis first: a run of old axes is as long as a run of new ones. Within such
 * a run of old axes each stride must be that of the next axis times its length, or a new axis would bend.
 */
int numba_attempt_nocopy_reshape(intptr_t old_count, const intptr_t *old_shape, const intptr_t *old_strides,
                                 intptr_t new_count, const intptr_t *new_shape, intptr_t *new_strides,
                                 intptr_t item_size, int column_major)
{
    intptr_t shape[64], strides[64], count = 0, old_total = 1, new_total = 1;
    for (intptr_t axis = 0; axis < old_count; axis++)
        old_total *= old_shape[axis];
    for (intptr_t axis = 0; axis < new_count; axis++)
        new_total *= new_shape[axis];
    if (old_total != new_total || column_major)  /* no kernel asks for column-major shapes */
        return 0;
    if (new_total == 0) {  /* any strides lead to no element */
        for (intptr_t axis = 0; axis < new_count; axis++)
            new_strides[axis] = item_size;
        return 1;
    }
    for (intptr_t axis = 0; axis < old_count; axis++)  /* axes of one element have no say */
        if (old_shape[axis] != 1) {
            if (count == 64)
                return 0;
            shape[count] = old_shape[axis];
            strides[count++] = old_strides[axis];
        }
    intptr_t old_axis = 0, new_axis = 0;
    while (old_axis < count && new_axis < new_count) {
        intptr_t old_end = old_axis + 1, new_end = new_axis + 1;
        intptr_t old_size = shape[old_axis], new_size = new_shape[new_axis];
        while (old_size != new_size) {
            if (new_size < old_size)
                new_size *= new_shape[new_end++];
            else
                old_size *= shape[old_end++];
        }
        for (intptr_t axis = old_axis; axis + 1 < old_end; axis++)
            if (strides[axis] != shape[axis + 1] * strides[axis + 1])
                return 0;
        new_strides[new_end - 1] = strides[old_end - 1];
        for (intptr_t axis = new_end - 1; axis > new_axis; axis--)
            new_strides[axis - 1] = new_strides[axis] * new_shape[axis];
        old_axis = old_end;
        new_axis = new_end;
    }
    for (; new_axis < new_count; new_axis++)  /* of one element each */
        new_strides[new_axis] = new_axis ? new_strides[new_axis - 1] : item_size;
    return 1;
}

/* ---- Arguments: each function returns whether a Python value is of the type that the kernel was compiled for. */

static int is_array(PyObject *value, int type, int dimensions, int flags)
{
    if (!PyArray_Check(value))
        return 0;
    PyArrayObject *array = (PyArrayObject *)value;
    return PyArray_TYPE(array) == type && PyArray_NDIM(array) == dimensions && PyArray_CHKFLAGS(array, flags)
        && PyArray_ISNOTSWAPPED(array);
}

static int is_tuple(PyObject *value, Py_ssize_t size) { return PyTuple_Check(value) && PyTuple_GET_SIZE(value) == size; }

static int as_int64(PyObject *value, int64_t *result)  /* an int, or any of numpy's integers */
{
    int overflow = 0;
    if (PyLong_CheckExact(value)) {
        *result = PyLong_AsLongLongAndOverflow(value, &overflow);
        return !overflow;
    }
    if (!PyArray_IsScalar(value, Integer))
        return 0;
    PyObject *number = PyNumber_Index(value);
    if (number == NULL) {
        PyErr_Clear();
        return 0;
    }
    *result = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    return !overflow;
}

static int as_double(PyObject *value, double *result)
{
    if (!PyFloat_Check(value))  /* numpy's float64 is one */
        return 0;
    *result = PyFloat_AS_DOUBLE(value);
    return 1;
}

static int as_bool(PyObject *value, uint8_t *result)
{
    if (PyBool_Check(value))
        *result = value == Py_True;
    else if (PyArray_IsScalar(value, Bool))
        *result = PyArrayScalar_VAL(value, Bool) != 0;
    else
        return 0;
    return 1;
}

#define AS_SCALAR(name, type, kind)                                                                                    \
    static inline int name(PyObject *value, type *result)                                                             \
    {                                                                                                                  \
        if (!PyArray_IsScalar(value, kind))                                                                            \
            return 0;                                                                                                  \
        *result = PyArrayScalar_VAL(value, kind);                                                                      \
        return 1;                                                                                                      \
    }
AS_SCALAR(as_int8, int8_t, Int8)
AS_SCALAR(as_int16, int16_t, Int16)
AS_SCALAR(as_int32, int32_t, Int32)
AS_SCALAR(as_uint8, uint8_t, UInt8)
AS_SCALAR(as_uint16, uint16_t, UInt16)
AS_SCALAR(as_uint32, uint32_t, UInt32)
AS_SCALAR(as_uint64, uint64_t, UInt64)
AS_SCALAR(as_float, float, Float32)

/* ---- Results. */

static void free_array(PyObject *owner) { give_back(PyCapsule_GetPointer(owner, NULL)); }

/* Make an array of the memory that a kernel returned, or return the argument that it returned. */
static PyObject *array_of(Memory *memory, PyObject *parent, void *data, int type, int dimensions, int64_t *shape,
                          int64_t *strides)
{
    if (memory == NULL) {
        if (parent && PyArray_Check(parent) && PyArray_DATA((PyArrayObject *)parent) == data
            && PyArray_NDIM((PyArrayObject *)parent) == dimensions
            && PyArray_CompareLists(PyArray_DIMS((PyArrayObject *)parent), (npy_intp *)shape, dimensions))
            return Py_NewRef(parent);
        PyErr_SetString(PyExc_SystemError, "a kernel returned a part of an argument, which nothing here can hold");
        return NULL;
    }
    PyObject *owner = PyCapsule_New(memory, NULL, free_array);
    if (owner == NULL) {
        give_back(memory);
        return NULL;
    }
    PyObject *array = PyArray_New(&PyArray_Type, dimensions, (npy_intp *)shape, type, (npy_intp *)strides, data, 0,
                                  NPY_ARRAY_WRITEABLE, NULL);
    if (array == NULL || PyArray_SetBaseObject((PyArrayObject *)array, owner) < 0) {
        if (array == NULL)
            Py_DECREF(owner);
        Py_XDECREF(array);
        return NULL;
    }
    PyArray_UpdateFlags((PyArrayObject *)array, NPY_ARRAY_UPDATE_ALL);
    return array;
}

/* What a kernel that fails leaves: a pickled (class, arguments, place), its length, and three fields that are not used
 * by exceptions whose arguments are known when it is compiled. */
typedef struct {
    const char *pickle;
    int32_t size;
    void *unused, *unwrap;
    int32_t dynamic;
} Failure;

static PyObject *fail(int status, const Failure *failure)
{
    if (PyErr_Occurred())
        return NULL;
    if (status < 1 || failure == NULL || failure->dynamic) {
        PyErr_Format(PyExc_SystemError, "a kernel ended with status %d", status);
        return NULL;
    }
    PyObject *pickle = PyImport_ImportModule("pickle"), *raised = NULL, *error = NULL;
    if (pickle)
        raised = PyObject_CallMethod(pickle, "loads", "y#", failure->pickle, (Py_ssize_t)failure->size);
    if (raised && PyTuple_Check(raised) && PyTuple_GET_SIZE(raised) == 3 && PyTuple_Check(PyTuple_GET_ITEM(raised, 1)))
        error = PyObject_CallObject(PyTuple_GET_ITEM(raised, 0), PyTuple_GET_ITEM(raised, 1));
    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_SystemError, "a kernel failed");
    Py_XDECREF(error);
    Py_XDECREF(raised);
    Py_XDECREF(pickle);
    return NULL;
}

/* ---- Targets: a wheel has each kernel for two levels of x86-64, of which the second has AVX2. */

static int is_second_target;

static void choose_target(void)
{
#if defined(_M_X64)
    is_second_target = IsProcessorFeaturePresent(PF_AVX2_INSTRUCTIONS_AVAILABLE);
#elif defined(__x86_64__)
    __builtin_cpu_init();
    is_second_target = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi")
        && __builtin_cpu_supports("bmi2");
    const char *wanted = getenv("OCTOSCOPE_X86_64_V2");  /* for tests */
    if (wanted && *wanted)
        is_second_target = 0;
#endif
}

/* ==== The kernels: KERNEL, MACHINE_CODE, a function for each kernel, `kernels` and `contents`. */

/* Return the function of a kernel; it calls `otherwise` with arguments that it was not compiled for. */
static PyObject *bind(PyObject *module, PyObject *arguments)
{
    Py_ssize_t number;
    PyObject *otherwise;
    if (!PyArg_ParseTuple(arguments, "nO", &number, &otherwise))
        return NULL;
    return PyCFunction_New(&kernels[number], otherwise);
}

static PyMethodDef functions[] = {{"bind", bind, METH_VARARGS, NULL}, {NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "octoscope_kernels", NULL, -1, functions};

PyMODINIT_FUNC PyInit_octoscope_kernels(void)
{
    import_array();
    choose_target();
    PyObject *module = PyModule_Create(&definition);
    if (module && PyModule_AddStringConstant(module, "contents", contents) < 0)
        Py_CLEAR(module);
    return module;
}
