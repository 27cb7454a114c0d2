import { describe, expect, test } from 'vitest'
import type { DigestTool } from '../../digest-tool.ts'
import { clang, gcc } from './gcc.ts'
import { digestText } from '../../digest-reader.ts'
import { make } from '../any/make.ts'
import { fixture } from '../../testing/fixture.ts'
import { scanFixture, scanText } from '../../testing/scan-fixture.ts'

const titles = (tool: DigestTool, name: string) => scanFixture(tool, name)?.findings.map(({ title }) => title) ?? []

describe.each([
  [gcc, clang],
  [clang, gcc],
])('$name', (tool, other) => {
  const { name } = tool

  test.each(['failures', 'colour'])('lists errors and no warnings: %s', (output) => {
    expect(scanFixture(tool, `${name}/${output}`)).toMatchObject({ failures: 4, summary: '4 build errors:' })
    expect(titles(tool, `${name}/${output}`).map((title) => title.split(' ').slice(0, 2).join(' '))).toEqual([
      'src/cart.c:6:33: error:',
      name === 'gcc' ? 'src/cart.c:11:20: error:' : 'src/cart.c:11:27: error:',
      'src/cart.c:12:24: error:',
      'src/cart.c:13:13: error:',
    ])
  })

  test('shows the code with its mark', () => {
    const [gutter, mark] = name === 'gcc' ? ['6 |     ', '  |     '] : ['', '']
    expect(scanFixture(tool, `${name}/failures`)?.findings[0]?.detail.split('\n')).toEqual([
      `${gutter}for (int i = 0; i < n; i++) sum += prices[i];`,
      `${mark}                            ^${name === 'gcc' ? '~~' : ''}`,
    ])
  })

  test.each([
    ['missing-header', 1, /^src\/missing\.c:1:10: fatal error: .*nowhere\.h/],
    ['werror', 1, /^src\/good\.c:1:22: error: unused variable/],
    ['no-input', name === 'gcc' ? 1 : 2, /error: .*src\/absent\.c/i],
    ['link', 3, /^link\.c:\(\.text\+0x\d+\): undefined reference to `nowhere'$/],
    ['many', name === 'gcc' ? 40 : 20, /^src\/many\.c:1:23: error: .*nope1/],
    ['templates', name === 'gcc' ? 6 : 12, /^src\/t\.cpp:12:\d+: error: /],
  ])('counts breaking errors: %s', (output, failures, title) => {
    expect(scanFixture(tool, `${name}/${output}`)).toMatchObject({ failures, collected: null })
    expect(titles(tool, `${name}/${output}`)[0]).toMatch(title)
    expect(scanFixture(other, `${name}/${output}`)?.failures ?? 0).toBe(0)
  })

  test('passed with warnings', () => {
    expect(scanFixture(tool, `${name}/warnings-only`)).toMatchObject({ failures: 0, findings: [] })
  })

  test.each([
    'app/main.py:2:1: error: from mypy',
    'src/lib.rs:17:1: error[E0046]: from rustc',
    'src/lib.rs:17:1: warning: from rustc',
    'src/Cart.java:2: error: from javac',
    'src/a.ts:1:2: error: from something else',
  ])('ignores other languages: %s', (line) => {
    expect(scanText(tool, `${line}\n`)).toBeNull()
  })
})

describe('the linker', () => {
  test('is shown without the names of temporary files, and once for each place', () => {
    expect(titles(gcc, 'gcc/duplicate')).toEqual([
      'cc1: fatal error: src/many2.c: No such file or directory',
      "dup.c:(.text+0x0): multiple definition of `main'; dup.c:(.text+0x0): first defined here",
    ])
    expect(titles(gcc, 'gcc/debug-link')).toContain("/workspace/src/link.c:3: undefined reference to `gone'")
  })

  test('fails once if it does not say why', () => {
    expect(scanText(gcc, 'collect2: error: ld returned 1 exit status\n')).toMatchObject({ failures: 1 })
    expect(titles(clang, 'clang/driver-error')).toEqual([
      "clang: error: invalid linker name in argument '-fuse-ld=lld'",
    ])
  })
})

describe('make', () => {
  test.each([
    ['failures', ['make: *** [Makefile:5: build] Error 1']],
    ['keep-going', ['make: *** [Makefile:5: build] Error 1', 'make: *** [Makefile:9: test] Error 3']],
    ['silent-test', ['make: *** [Makefile:9: test] Error 3']],
    ['nested', ['make[1]: *** [Makefile:3: part] Error 1 (in /workspace/lib)']],
    ['no-rule', ["make: *** No rule to make target 'src/nofile.c', needed by 'gone'.  Stop."]],
    ['no-target', ["make: *** No rule to make target 'zebra'.  Stop."]],
    ['syntax', ['bad.mk:2: *** missing separator.  Stop.']],
    [
      'parallel',
      ['make: *** [par.mk:5: b] Error 1', 'make: *** [par.mk:7: c] Killed', 'make: *** [par.mk:3: a] Error 2'],
    ],
  ])('names its own targets, and of nested ones the innermost: %s', (name, expected) => {
    expect(titles(make, `make/${name}`)).toEqual(expected)
    expect(scanFixture(make, `make/${name}`)).toMatchObject({ failures: expected.length, collected: null })
  })

  test.each(['passing', 'ignored'])('says nothing when it succeeds: %s', (name) => {
    expect(scanFixture(make, `make/${name}`)).toBeNull()
  })

  test('does not hide the compiler, whose errors are the digest although make has the last word', () => {
    const { tool, failures, summary, digest } = digestText(fixture('make/failures'))
    expect({ tool, failures }).toEqual({ tool: 'gcc', failures: 4 })
    expect(summary).toContain('4 build errors: src/cart.c:6:33: error:')
    expect(digest.split('\n')[0]).toBe('[BUILD] 4 build errors:')
    expect(digest).toContain('make: *** [Makefile:5: build] Error 1')
  })

  test('is the digest if nothing else says what failed', () => {
    expect(digestText(fixture('make/silent-test'))).toMatchObject({ tool: 'make', failures: 1 })
  })
})
