import { describe, expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { fixture } from '../../testing/fixture.ts'

const linesOf = (name: string): string[] => digestText(fixture(name)).digest.split('\n')

describe('sanitizers', () => {
  test.each([
    [
      'sanitizers/use-after-free',
      1,
      'AddressSanitizer: heap-use-after-free src/uaf.c:2 in read_it',
      ['  in main src/uaf.c:3', '  freed in main src/uaf.c:3', '  allocated in main src/uaf.c:3'],
    ],
    [
      'sanitizers/leaks',
      2,
      'LeakSanitizer: Direct leak of 100 byte(s) in 1 object(s) in keep src/leak.c:2',
      ['  in main src/leak.c:3'],
    ],
    [
      'sanitizers/race',
      1,
      'ThreadSanitizer: data race src/race.c:3 in work',
      ['  Read of size 4', '  Previous write of size 4', "  Location is global 'counter' of size 4"],
    ],
    [
      'sanitizers/undefined',
      2,
      "src/ub.c:4:28: runtime error: shift exponent 41 is too large for 32-bit type 'int'",
      [],
    ],
    ['sanitizers/undefined-stops', 1, null, []],
    [
      'sanitizers/valgrind',
      1,
      'Valgrind: Invalid read of size 4 in last (list.c:4)',
      ['  in main (list.c:9)', '  allocated in main (list.c:6)'],
    ],
  ])('%s', (name, failures, title, detail) => {
    expect(digestText(fixture(name))).toMatchObject({ tool: 'sanitizers', failures, passed: false })
    expect(linesOf(name)).toEqual(expect.arrayContaining([...(title === null ? [] : [title]), ...detail]))
    expect(linesOf(name).join('\n')).not.toMatch(/0x[\da-f]{4}|shadow|libc_start|==\d/i)
  })

  test("in a make run: the program's error is the digest, and make says which target", () => {
    const { tool, failures, digest } = digestText(fixture('make/address-sanitizer'))
    expect({ tool, failures }).toEqual({ tool: 'sanitizers', failures: 1 })
    expect(digest).toMatch(
      /^\[TEST\] 1 error at run time:\nAddressSanitizer: heap-buffer-overflow src\/list\.c:4 in last\n/,
    )
    expect(digest).toContain('  located 0 bytes to the right of 16-byte region\n  allocated in main src/list.c:6')
    expect(digest).toContain('make: *** [Makefile:6: test] Error 1')
  })

  test('end a test of GoogleTest, which is named, too', () => {
    const { digest, findings } = digestText(fixture('make/googletest-address-sanitizer'))
    expect(digest).toMatch(/^\[TEST\] 1 test failed in Buf: Over\nBuf\.Over\n {2}the program ended in this test\n\n/)
    expect(digest).toContain('AddressSanitizer: heap-buffer-overflow t.cpp:3 in Buf_Over_Test::TestBody()')
    expect(findings).toContain('googletest: Buf.Over | the program ended in this test')
  })

  test('show the same failure at other addresses and in another process, and a different one at another place', () => {
    const text = fixture('sanitizers/use-after-free')
    const { fingerprint } = digestText(text)
    const again = text
      .replaceAll('==19913==', '==4711==')
      .replaceAll('0x602000000010', '0x60b0000000f0')
      .replaceAll('0x55a86fd491cb', '0x561111111111')
    expect(digestText(again).fingerprint).toBe(fingerprint)
    expect(digestText(text.replaceAll('read_it', 'write_it')).fingerprint).not.toBe(fingerprint)
  })

  test('also name uninitialised memory', () => {
    const text = [
      '==12==WARNING: MemorySanitizer: use-of-uninitialized-value',
      '    #0 0x4a1 in main /workspace/src/msan.c:3:32',
      '    #1 0x7f in __libc_start_main (/lib/libc.so.6+0x23d09)',
      '',
      '  Uninitialized value was created by a heap allocation',
      '    #0 0x42b in malloc (/workspace/msan+0x42b)',
      '    #1 0x4a0 in prepare /workspace/src/msan.c:9:22',
      '',
      'SUMMARY: MemorySanitizer: use-of-uninitialized-value /workspace/src/msan.c:3:32 in main',
      'Exiting',
    ]
    expect(digestText(text.join('\n')).digest).toContain(
      'MemorySanitizer: use-of-uninitialized-value src/msan.c:3:32 in main\n  in main src/msan.c:3:32\n  Uninitialized value was created in prepare src/msan.c:9:22',
    )
  })
})

describe('errors in templates of a library', () => {
  test.each(['gcc', 'clang'])("name the line of the project's file that began them: %s", (compiler) => {
    const { digest, failures } = digestText(fixture(`${compiler}/library-templates`))
    expect(failures).toBe(compiler === 'gcc' ? 7 : 16)
    const titles = digest.split('\n').filter((line) => line.includes(': error: '))
    expect(titles).toHaveLength(5)
    for (const title of titles)
      expect(title).toMatch(/^src\/sort\.cpp:\d+:\d+: error: .+ \[in c\+\+\/12\/bits\/\w+\.h:\d+\]$/)
  })
})

describe('an error in a template of the project', () => {
  test('names the line that used it', () => {
    expect(digestText(fixture('gcc/own-template')).digest).toContain('  required from other.h:2:31\n')
  })
})

describe('make inside make', () => {
  test('shows the place of the target and its output', () => {
    for (const name of ['recursive-test', 'output-sync'])
      expect(digestText(fixture(`make/${name}`)).digest).toBe(
        '[BUILD] make failed at 1 target:\nmake[2]: *** [Makefile:6: test] Error 3 (in sub/app)\n  running app tests\n  ./run-tests.sh\n  login: expected 200, got 500',
      )
  })

  test("names the compiler's file relative to the first make, and only the target that failed by itself", () => {
    const { digest, failures } = digestText(fixture('make/recursive'))
    expect(failures).toBe(1)
    expect(digest).toContain('sub/app/app.c:1:23: error:')
    expect(digest.match(/\*\*\*/g)).toHaveLength(1)
  })
})
