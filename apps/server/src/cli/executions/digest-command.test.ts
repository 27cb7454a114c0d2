// @suite unit-long
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'beadloom.mjs')
const OUTPUT = 'npm warn\n/workspace/src/a.ts(3,5): error TS2322: Type \u001b[31mä\u001b[0m is wrong.\n'

describe('beadloom digest', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bl-digest-'))
    writeFileSync(join(folder, 'build.log'), OUTPUT)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Calls it as a person does, in a process of its own. */
  function digest(args: string[], input = ''): Promise<{ code: number | null; out: string; err: string }> {
    const child = spawn(process.execPath, [bin, 'digest', ...args], { cwd: folder, stdio: 'pipe' })
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    child.stdin.end(input)
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
  }

  test('prints the failures and their fingerprint, of a file and of standard input', async () => {
    const [file, input, dash] = await Promise.all([digest(['build.log']), digest([], OUTPUT), digest(['-'], OUTPUT)])
    expect(file.out).toMatch(
      /^\[BUILD\] 1 build error:\nsrc\/a\.ts\(3,5\): error TS2322: Type ä is wrong\.\n\ntsc, 1 failed\nfingerprint [\da-f]{32}\n$/,
    )
    expect(file).toMatchObject({ code: 0, err: '' })
    expect([input, dash]).toEqual([file, file])
  })

  test('prints one JSON document for programs', async () => {
    const { code, out } = await digest(['--json', '--command', 'npm run check'], 'src/b.x: error: 5 things\n')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      tool: 'generic',
      type: 'custom',
      passed: null,
      failures: null,
      summary: 'src/b.x: error: 5 things',
      digest: '[CUSTOM] src/b.x: error: 5 things',
      fingerprint: expect.stringMatching(/^[\da-f]{32}$/),
      findings: ['generic: b.x: error: # things'],
      collected: null,
      tests: [],
    })
  })

  test('leaves the current folder out of paths, and control sequences out of terminals', async () => {
    const { out } = await digest(['--tool', 'generic'], `Error: in ${folder}/src/a.ts \u009b31m\u202e\n`)
    expect(out).toMatch(/^\[CUSTOM\] Error: in src\/a\.ts 31m\n/)
  })

  test.each([
    ['a file that is not there', ['nothing.log'], 1, /there is no file nothing\.log\. Name one, or pipe the output/],
    ['a folder', ['.'], 1, /\. is a folder\. Name a file/],
    [
      'a tool that it does not know',
      ['--tool', 'cobol'],
      2,
      /--tool cobol: unknown tool\. Known tools: automake, ava, .*biome, .*generic.*tsc/,
    ],
    ['two files', ['a.log', 'b.log'], 2, /too many arguments/],
  ])('says what to do about %s', async (_, args, expected, sentence) => {
    const { code, out, err } = await digest(args)
    expect(err).toMatch(sentence)
    expect({ code, out }).toEqual({ code: expected, out: '' })
  })
})
