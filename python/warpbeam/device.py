"""Devices: arrays and prepared kernels that outlive launches (section 11 of warpbeam.h).

    device = warpbeam.Device(chip="g200")
    a = device.array(numpy.arange(64, dtype="u4"))
    add = device.prepare(warpbeam.load("add.s"))
    for _ in range(10):
        add(1, 64, a, numpy.uint32(3))
    print(a.numpy())
"""
import struct

from . import Launch, _Config, _check, _for_c, _struct, _text, ffi, lib, numpy

__all__ = ["Array", "Device", "Kernel"]


def _three(value):
    """An extent: a number, or up to three."""
    values = [value] if isinstance(value, int) else list(value)
    return values + [0] * (3 - len(values))


class Device:
    """A chip with memory; options as on the command line are those of all its launches."""

    def __init__(self, **options):
        self._diag = ffi.new("struct wb_diag *")
        self._config = _Config(options)
        device = ffi.new("struct wb_device **")
        _check(lib.wb_device_new(self._config.handle, device, self._diag), self._diag)
        self._handle = ffi.gc(device[0], lib.wb_device_free)
        self._programs = []     # outlive the device

    def _check(self, status):
        _check(status, self._diag)

    def array(self, value):
        """A new Array with the bytes of a buffer, or of a NumPy array, whose type and shape it keeps."""
        view = memoryview(value)
        if not view.c_contiguous:
            raise ValueError("the bytes of an array must be contiguous")
        array = Array(self, view.nbytes, getattr(value, "dtype", None), getattr(value, "shape", None))
        array.write(view)
        return array

    def zeros(self, shape, dtype="f4"):
        """A new Array of zeros; NumPy's shape and type."""
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        n = numpy.dtype(dtype).itemsize
        for extent in shape:
            n *= extent
        return Array(self, n, numpy.dtype(dtype), shape)

    def prepare(self, program, kernel=None):
        """A Kernel: decoded, bound and translated once, for any number of launches."""
        return Kernel(self, program, kernel)

    def variables(self, program):
        """The variables of a program on this device: dicts with name, space, address and bytes."""
        self._keep(program)
        self._check(lib.wb_device_load(self._handle, program._handle, self._diag))
        found = []
        while (v := lib.wb_device_variable(self._handle, program._handle, len(found))) != ffi.NULL:
            found.append(_struct(v[0]))
        return found

    def read(self, program, name, size, offset=0):
        """Bytes of a variable by name."""
        data = bytearray(size)
        self._check(lib.wb_device_read_variable(self._handle, program._handle, _for_c(name), offset,
                                                ffi.from_buffer(data), size, self._diag))
        return bytes(data)

    def write(self, program, name, data, offset=0):
        """Write bytes to a variable by name."""
        data = memoryview(data).cast("B")
        self._check(lib.wb_device_write_variable(self._handle, program._handle, _for_c(name), offset,
                                                 ffi.from_buffer(data), data.nbytes, self._diag))

    def _keep(self, program):
        if program not in self._programs:
            self._programs.append(program)


class Array:
    """Memory of a device, with an address. numpy() gives the memory itself where it lies in one piece, else a copy."""

    def __init__(self, device, nbytes, dtype=None, shape=None):
        self.device = device
        self.nbytes = nbytes
        self.dtype = dtype
        self.shape = shape
        address = ffi.new("uint64_t *")
        device._check(lib.wb_memory_alloc(device._handle, nbytes, address, device._diag))
        self.address = address[0]

    def __del__(self):
        if getattr(self, "address", None) and self.nbytes:
            lib.wb_memory_free(self.device._handle, self.address, ffi.NULL)

    def _view(self):
        """The bytes in place, or None."""
        view = lib.wb_memory_view(self.device._handle, self.address, self.nbytes)
        return None if view == ffi.NULL else ffi.buffer(view, self.nbytes)

    def bytes(self):
        """A copy of the bytes."""
        data = bytearray(self.nbytes)
        self.device._check(lib.wb_memory_read(self.device._handle, self.address, ffi.from_buffer(data), self.nbytes,
                                              self.device._diag))
        return bytes(data)

    def write(self, data):
        data = memoryview(data).cast("B")
        if data.nbytes > self.nbytes:
            raise ValueError(f"{data.nbytes} bytes for an array of {self.nbytes}")
        self.device._check(lib.wb_memory_write(self.device._handle, self.address, ffi.from_buffer(data), data.nbytes,
                                               self.device._diag))

    def in_place(self):
        """Whether numpy() is the memory itself: a launch changes it, and a change is there for the next launch."""
        return self._view() is not None

    def numpy(self, dtype=None):
        """The array as NumPy has it. The Array must outlive what is returned, if it is in place."""
        view = self._view()
        array = numpy.frombuffer(self.bytes() if view is None else view, dtype or self.dtype or "u1")
        return array.reshape(self.shape) if dtype is None and self.shape is not None else array

    def __array__(self, dtype=None, copy=None):
        array = self.numpy()
        return array if dtype is None else array.astype(dtype)


class Kernel:
    """A prepared kernel of a device: call it with a grid, a block and arguments."""

    def __init__(self, device, program, kernel=None):
        self.device = device
        self.program = program._compiled({"chip": _text(lib.wb_config_get(device._config.handle, b"chip")) or "g200"})
        device._keep(self.program)
        prepared = ffi.new("struct wb_prepared **")
        name = _for_c(kernel) if kernel else ffi.NULL
        device._check(lib.wb_prepare(device._handle, self.program._handle, name, prepared, device._diag))
        self._handle = ffi.gc(prepared[0], lib.wb_prepared_free)

    @property
    def info(self):
        """name, machine, chip, registers, bytes, max_threads … as a dict."""
        return _struct(lib.wb_prepared_info(self._handle)[0])

    @property
    def parameters(self):
        """A dict for each parameter: name, type, space, access, kind, offset, size."""
        found = []
        while (p := lib.wb_prepared_parameter(self._handle, len(found))) != ffi.NULL:
            found.append(_struct(p[0]))
        return found

    def _pack(self, args):
        """The arguments as bytes, at the offsets of the declared parameters, else one behind the other."""
        declared, data = self.parameters, bytearray()
        if declared and len(declared) != len(args):
            raise TypeError(f"{len(args)} arguments; the kernel takes {len(declared)}")
        for i, value in enumerate(args):
            size = declared[i]["size"] if declared else 0
            item = _bytes_of(value, size or self._size(value))
            at = declared[i]["offset"] if declared else -(-len(data) // len(item)) * len(item)
            data.extend(bytes(max(0, at + len(item) - len(data))))
            data[at:at + len(item)] = item
        return bytes(data)

    def _size(self, value):
        if isinstance(value, Array):
            fact, chip = ffi.new("struct wb_chip_fact *"), lib.wb_prepared_info(self._handle).chip
            _check(lib.wb_chip_find_fact(chip, b"pointer", fact, self.device._diag), self.device._diag)
            return int(fact.number)
        return 4

    def launch(self, grid, block, *args, offset=0, shared=0):
        """A Launch, to run or to step."""
        size = ffi.new("struct wb_launch_size *", (_three(grid), _three(block), _three(offset), shared))
        params, launch = self._pack(args), ffi.new("struct wb_launch **")
        self.device._check(lib.wb_launch_on(self.device._handle, self._handle, size, params if params else ffi.NULL,
                                            len(params), launch, self.device._diag))
        return Launch._of(ffi.gc(launch[0], lib.wb_launch_free), self.program, self.device._config,
                          (self, args))

    def __call__(self, grid, block, *args, offset=0, shared=0):
        """Run to the end: a Result."""
        return self.launch(grid, block, *args, offset=offset, shared=shared).run()


def _bytes_of(value, size):
    """An argument of `size` bytes."""
    if isinstance(value, Array):
        return value.address.to_bytes(size, "little")
    if numpy is not None and isinstance(value, numpy.generic):
        return value.tobytes().ljust(size, b"\0")
    if isinstance(value, int):
        return value.to_bytes(size, "little", signed=value < 0)
    if isinstance(value, float):
        return struct.pack("<d" if size == 8 else "<f", value)
    return bytes(memoryview(value).cast("B"))
