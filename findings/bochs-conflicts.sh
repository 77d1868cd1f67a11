#!/bin/sh
# A good guess: Bochs, a model of processors to the instruction, is an answer to ask where no processor with AVX-512 is
# at hand. Really: in Bochs 2.7 vpconflictd compares words with results instead of the words before: 7 7 has no
# conflict, and a zero conflicts with whatever is before. And CPUID says of the compact form of the registers' image
# the size of the other form: 2688 bytes for 2432, upon which Debian's Linux 6.1.0-57 switches AVX-512 off.
# Consequence: code that looks for equal lanes by vpconflictd seems wrong there; Linux needs clearcpuid=xsavec,xsaves.
. "$(dirname "$0")/packages.sh"

needs() {   # PACKAGE...: names of the libraries that they need
	apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
		--no-enhances --no-pre-depends "$@" | grep '^lib' | grep -v '^libc6\|^libgcc\|^libc-' | sort -u
}
unpack bochs=2.7+dfsg-4+deb12u1 bochsbios=2.7+dfsg-4+deb12u1 vgabios=0.8a+ds-2 binutils-x86-64-linux-gnu=2.40-2 \
	$(needs bochs binutils-x86-64-linux-gnu)

cat >boot.s <<'END_OF_SECTOR'
	.code16
	.globl _start
_start:	cli
	xor %ax, %ax
	mov %ax, %ds
	lgdt table
	mov %cr0, %eax
	or $1, %al
	mov %eax, %cr0
	ljmp $8, $protected
	.code32
protected:
	mov $16, %ax
	mov %ax, %ds
	mov %ax, %ss
	mov $0x7000, %esp
	mov %cr0, %eax
	and $~4, %eax
	or $2, %eax
	mov %eax, %cr0
	mov %cr4, %eax
	or $0x40600, %eax               # registers of SSE, and xsetbv
	mov %eax, %cr4
	xor %ecx, %ecx
	xor %edx, %edx
	mov $0xe7, %eax                 # registers of AVX and AVX-512
	xsetbv
	vmovdqu32 words, %zmm1
	vpconflictd %zmm1, %zmm0
	vmovdqu32 %zmm0, 0x6000
	mov $0x6000, %esi
	mov $16, %ecx
1:	lodsl
	call print
	loop 1b
	call line
	mov $0xd, %eax
	mov $1, %ecx
	cpuid
	mov %ebx, %eax
	call print
	call line
	mov $bye, %esi
	mov $8, %ecx
	mov $0x8900, %edx               # the port that ends Bochs
1:	lodsb
	out %al, %dx
	loop 1b
1:	hlt
	jmp 1b
print:	push %ecx                       # four hexadecimal digits of %eax to Bochs' standard output
	mov %eax, %ebx
	shl $16, %ebx
	mov $4, %ecx
1:	rol $4, %ebx
	mov %bl, %al
	and $15, %al
	add $'0', %al
	cmp $'9', %al
	jbe 2f
	add $39, %al
2:	out %al, $0xe9
	loop 1b
	mov $' ', %al
	out %al, $0xe9
	pop %ecx
	ret
line:	mov $10, %al
	out %al, $0xe9
	ret
bye:	.ascii "Shutdown"
	.p2align 3
entries:
	.quad 0, 0x00cf9a000000ffff, 0x00cf92000000ffff
table:	.word 23
	.long entries
words:	.long 7, 7, 5, 7, 1, 2, 3, 1, 0, 0, 8, 9, 10, 11, 12, 5
	.org 510
	.word 0xaa55
END_OF_SECTOR
cat >bochsrc <<END
display_library: rfb, options="timeout=0"
megs: 32
romimage: file=$work/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=$work/usr/share/bochs/VGABIOS-lgpl-latest
cpu: model=corei7_skylake_x
floppya: 1_44=boot.img, status=inserted
boot: floppy
port_e9_hack: enabled=1
log: log
END
sed -n '/^words/p' boot.s
library usr/bin/x86_64-linux-gnu-as --32 boot.s -o boot.o
library usr/bin/x86_64-linux-gnu-ld -m elf_i386 -Ttext 0x7c00 --oformat binary boot.o -o boot.img
truncate -s 1440K boot.img
echo c >commands
LTDL_LIBRARY_PATH=$(echo "$work"/usr/lib/*-linux-gnu/bochs/plugins)
export LTDL_LIBRARY_PATH
library usr/bin/bochs-bin -q -f bochsrc -rc commands >said 2>&1 </dev/null || :
echo "== $(grep -o -m 1 'Bochs x86 Emulator.*' said) (package 2.7+dfsg-4+deb12u1), model of a Skylake-X"
answer() {   # LINE: of the boot sector's
	grep '^[0-9a-f ]* $' said | sed -n "$1s/ *$//p"
}
# A bit for each word before with the same number: 7 with 7, and so on.
echo 'right: 0000 0001 0000 0003 0000 0000 0000 0010 0000 0100 0000 0000 0000 0000 0000 0004'
stated 'vpconflictd' "$(answer 1)" '0000 0000 0000 0000 0000 0000 0000 0000 007f 00ff 0000 0000 0000 0000 0000 0000'
stated 'bytes of the compact form (right: 0980)' "$(answer 2)" 0a80
exit $status
