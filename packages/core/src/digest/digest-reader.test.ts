import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareDigests } from './compare-digests.ts'
import { digestText, DigestReader } from './digest-reader.ts'
import { DIGEST_LIMIT } from './cap.ts'

const NOTE = '\n...(truncated, showing first 2000 chars)'
const noise = (count: number) => Array.from({ length: count }, (_, at) => `progress ${at} of the job\n`).join('')
const tscError = (file: string, code = 2322) =>
  `${file}(3,5): error TS${code}: Type 'a' is not assignable to type 'b'.\n`
const eslintError = `\n/workspace/src/c.js\n  1:7  error  'x' is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)\n`

describe('a digest of several tools', () => {
  test('has a block for each failed one, and names the last', () => {
    const digest = digestText(`${tscError('src/a.ts')}${noise(3)}${eslintError}`)
    expect(digest).toMatchObject({ tool: 'eslint', type: 'lint', passed: false, failures: 2 })
    expect(digest.digest).toMatch(/^\[BUILD\] 1 build error:\n(?:.*\n)+\n\[LINT\] 1 lint error in 1 file:\n/)
  })

  test('leaves room for each, however much the first one has to say', () => {
    const many = Array.from({ length: 50 }, (_, at) => tscError(`src/${'deep/'.repeat(40)}${at}.ts`)).join('')
    expect(digestText(`${many}${eslintError}`).digest).toContain("src/c.js:1:7  error  'x' is not defined")
  })

  test('skips passed ones', () => {
    expect(digestText(`vite v8.0.0 building\n✓ built in 74ms\n${eslintError}`).digest).toMatch(/^\[LINT\]/)
  })
})

describe("the reading of a command's output", () => {
  test('shows lines that look like errors of a build with an unknown tool', () => {
    const { digest, tool } = digestText(`${noise(3)}foo.x: error: no such thing\n${noise(30)}`, { type: 'build' })
    expect(tool).toBe('generic')
    expect(digest).toMatch(/^\[BUILD\] foo\.x: error: no such thing\n/)
  })

  test.each([
    ['build', 'Build failed (no specific error lines found in output)'],
    ['test', 'Tests failed (unable to extract specific test names)'],
    ['lint', 'Lint failed (unable to extract specific errors)'],
  ] as const)('reports for a %s that nothing was found', (type, text) => {
    const { digest, summary } = digestText(noise(40), { type })
    expect(digest).toMatch(new RegExp(`^\\[${type.toUpperCase()}\\] ${text.replace(/[()]/g, '\\$&')}\n\n`))
    expect(digest).toContain('progress 39')
    expect(summary).toBe(text)
    expect(digestText('', { type }).digest).toBe(`[${type.toUpperCase()}] ${text}`)
  })

  test('takes the type from a command line that names a tool', () => {
    expect(digestText(noise(3), { command: 'cd app && npx tsc -p . --noEmit' }).type).toBe('build')
    expect(digestText(noise(3), { command: 'echo tsconfig' }).type).toBe('custom')
  })

  test('takes silence of a compiler or linter for success, unless it is known to have failed', () => {
    expect(digestText('\n> app@1.0.0 build\n> tsc -p .\n\n', { tool: 'tsc' })).toMatchObject({
      passed: true,
      failures: 0,
    })
    expect(digestText('', { command: 'npx eslint .' })).toMatchObject({ tool: 'eslint', passed: true, failures: 0 })
    expect(digestText('', { tool: 'tsc' }, 1)).toMatchObject({ passed: false, failures: null })
    expect(digestText('', {})).toMatchObject({ tool: 'generic', passed: null, failures: null })
  })

  test('looks for no tool other than the requested one', () => {
    expect(digestText(`${tscError('src/a.ts')}${eslintError}`, { tool: 'tsc' })).toMatchObject({
      tool: 'tsc',
      failures: 1,
    })
    expect(digestText(tscError('src/a.ts'), { tool: 'generic' })).toMatchObject({ tool: 'generic', failures: null })
  })

  test('shows the end of an output that passed by its own words and failed all the same', () => {
    const digest = digestText('✖ 1 problem (0 errors, 1 warning)\nno coverage\n', {}, 1)
    expect(digest).toMatchObject({ tool: 'generic', passed: false })
    expect(digest.digest).toContain('no coverage')
  })
})

describe('a fingerprint', () => {
  const same = (one: string, other: string) => compareDigests(digestText(one), digestText(other))

  test('comes from the failures alone, whatever the line, the folder, the order and the colours', () => {
    const before = `${tscError('src/a.ts')}${tscError('src/b.ts', 2345)}`
    const after = `\u001b[31m${tscError('/tmp/run-x8Kq2/src/b.ts', 2345)}\u001b[0m${tscError('src/a.ts').replace('3,5', '14,1')}`
    expect(same(before, after)).toBe('same')
    expect(digestText(before).fingerprint).toMatch(/^[\da-f]{32}$/)
  })

  test('masks times, hashes, addresses and temporary folders in output of unknown tools', () => {
    const before = 'Error: cannot open /tmp/build-1a2b/x.db at 12:01:33 (commit 3f8bdfc1, 0x7ffe12, 1.5s)\n'
    const after = 'Error: cannot open /tmp/build-9f8e/x.db at 13:45:01 (commit a5c1d790, 0x7abc99, 310ms)\n'
    expect(same(before, after)).toBe('same')
    expect(same(before, before.replace('x.db', 'y.db'))).toBe('new')
  })

  test('shows progress when something is gone and nothing is new, counting equal ones', () => {
    const three = tscError('src/a.ts').repeat(2) + tscError('src/b.ts')
    expect(same(three, tscError('src/a.ts') + tscError('src/b.ts'))).toBe('fewer')
    expect(same(three, tscError('src/a.ts') + tscError('src/c.ts'))).toBe('new')
    expect(same(tscError('src/a.ts'), three)).toBe('new')
  })

  test('compares failures beyond the kept ones by their number', () => {
    expect(same(tscError('src/a.ts').repeat(500), tscError('src/a.ts').repeat(400))).not.toBe('same')
  })
})

describe('an output of any size in any pieces', () => {
  test('gives the same digest however it is cut', () => {
    const text = `${noise(3000)}\u001b[31m${tscError('/workspace/src/ä.ts')}\u001b[0m${noise(3000)}100%\r\n${eslintError}`
    const whole = digestText(text)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        const reader = new DigestReader()
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          reader.push(text.slice(at, at + size))
          at += size
        }
        expect(reader.end()).toEqual(whole)
      }),
      { numRuns: 30 },
    )
    expect(whole.failures).toBe(2)
  })

  test('finds the first cause at the start of a long output', () => {
    const { digest } = digestText(`${noise(10)}Error: the disk is full\n  at write\n${noise(200_000)}done\n`)
    expect(digest).toMatch(
      /^\[CUSTOM\] Error: the disk is full\n\nprogress 9 of the job\nError: the disk is full\n {2}at write\n(?:.*\n)+done$/,
    )
  })

  test('shows the lines above a sign in the chunk before it', () => {
    const text = `/workspace/src/far.js\n${'  1:1  warning  w  r\n'.repeat(2000)}  9:9  error  bad  rule\n`
    expect(digestText(`${noise(5000)}${text}`).digest).toContain('src/far.js:9:9  error  bad')
  })

  test('leaves prefixes of paths out, but not out of longer names', () => {
    const digest = (path: string) => digestText(`Error: in ${path}\n`).digest
    expect(digest('file:///workspace/src/a.ts')).toBe('[CUSTOM] Error: in src/a.ts')
    expect(digest('/home/me/workspace/a.ts')).toBe('[CUSTOM] Error: in /home/me/workspace/a.ts')
    expect(digestText('Error: in /r+d/a.ts\n', { roots: ['/r+d/'] }).digest).toBe('[CUSTOM] Error: in a.ts')
  })

  test('is bounded and well-formed for any text', () => {
    const words = fc.constantFrom(
      'error TS2322: ',
      '(1,2)',
      '\n',
      '\r',
      ' ',
      '  1:1  error  ',
      'ERROR in ',
      '✖',
      '\u001b[',
      '\ud800',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string({ unit: 'binary' })), { maxLength: 200 }), (parts) => {
        const { digest, summary, findings } = digestText(parts.join(''))
        expect(digest.isWellFormed() && summary.isWellFormed()).toBe(true)
        expect(digest.length).toBeLessThanOrEqual(DIGEST_LIMIT + NOTE.length)
        expect(summary.length).toBeLessThanOrEqual(100)
        expect(summary).not.toContain('\n')
        expect(findings.length).toBeLessThanOrEqual(200)
      }),
    )
  })
})
