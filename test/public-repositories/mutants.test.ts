import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { harmlessIn, isCode, mutantsIn, mutationKinds, patchOf, shuffled, type Language } from './mutants.ts'

const changesOf = (language: Language, text: string): Record<string, string[][]> =>
  Object.groupBy(mutantsIn(language, 'a', text), ({ kind }) => kind) as never

const nowOf = (language: Language, ...lines: string[]): Record<string, string[]> =>
  Object.fromEntries(mutantsIn(language, 'a', `${lines.join('\n')}\n`).map(({ kind, now }) => [kind, now]))

test('each language has a line for each of the five kinds', () => {
  const samples: Record<Exclude<Language, 'other'>, string[]> = {
    python: ['def f(a):', '    if a == 1:', '        clear(a)', '    return a + 1'],
    javascript: ['function f(a) {', '  if (a === 1)', '    clear(a)', '  return a + 1', '}'],
    go: ['func f(a int) {', '\tif a == 1 {', '\t\tclear(a)', '\t\treturn true', '\t}', '}'],
    rust: ['fn f(a: i32) {', '    if a == 1 {', '        self.clear(a);', '        return true;', '    }', '}'],
    java: ['  public void f(int a) {', '    if (a == 1)', '      this.clear(a);', '    return true;', '  }'],
    c: ['void f(int a) {', '  if (a == 1)', '    list.clear(a);', '  return 0;', '}'],
  }
  for (const [language, lines] of Object.entries(samples))
    expect(Object.keys(nowOf(language as Language, ...lines)).sort(), language).toEqual([...mutationKinds].sort())
})

test('a statement goes below the head of a function, with the indentation of the next line', () => {
  expect(nowOf('python', 'def f(a):', '    go(a)')['early return']).toEqual(['def f(a):', '    return None'])
  expect(nowOf('go', 'func f() error {', '\treturn g()', '}')['early return']).toBeUndefined()
})

test('a constant is replaced by one of its type, and any other value only where no compiler objects', () => {
  expect(nowOf('go', '\treturn true', '')['returned constant']).toEqual(['\treturn false'])
  expect(nowOf('python', '    return False', '')['returned constant']).toEqual(['    return True'])
  expect(nowOf('go', '\treturn a + b', '')['returned constant']).toBeUndefined()
  expect(nowOf('python', '    return a + b', '')['returned constant']).toEqual(['    return None'])
  expect(nowOf('python', '    return call(', '')['returned constant']).toBeUndefined()
})

test('brackets of types are no comparison', () => {
  expect(changesOf('java', 'class A < B extends C > {\n}\n')['swapped comparison']).toBeUndefined()
})

test("a file's own tests are left alone, and so are files of tests", () => {
  expect(mutantsIn('rust', 'a', 'fn f() {\n#[cfg(test)]\nmod tests {\n  if a == 1 {\n}\n')).toEqual([])
  expect(isCode('javascript', 'src/a.ts')).toBe(true)
  for (const path of ['src/a.test.ts', 'src/__tests__/a.ts', 'test/a.ts', 'src/a.d.ts', 'docs/a.js'])
    expect(isCode('javascript', path), path).toBe(false)
})

test('a patch is one that git applies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bl-mutant-'))
  try {
    const text = 'def f(a):\n    if a == 1:\n        return 2\n    return 3\n'
    writeFileSync(join(folder, 'a'), text)
    const run = (input: string) =>
      execFileSync('git', ['apply', '--unidiff-zero'], { cwd: folder, input, env: { ...process.env, GIT_DIR: folder } })
    const [mutant] = mutantsIn('python', 'a', text).filter(({ kind }) => kind === 'swapped comparison')
    if (!mutant) throw new Error('there is none')
    run(patchOf(mutant))
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe(text.replace('==', '!='))
    const harmless = harmlessIn('python', 'a', text)
    if (!harmless) throw new Error('there is none')
    run(patchOf(harmless))
    expect(readFileSync(join(folder, 'a'), 'utf8')).toMatch(/^# .*\ndef f/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the order depends on the seed alone', () => {
  const mutants = mutantsIn('python', 'a', 'if a == 1:\nif b == 2:\nif c == 3:\nif d == 4:\n\n')
  expect(shuffled(mutants, 'x')).toEqual(shuffled(mutants.toReversed(), 'x'))
  expect(shuffled(mutants, 'x')).not.toEqual(mutants)
})
