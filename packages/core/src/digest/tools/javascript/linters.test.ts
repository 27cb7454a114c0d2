import { describe, expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { fixture } from '../../testing/fixture.ts'

const of = (name: string) => digestText(fixture(name))

describe('ESLint', () => {
  test('shows five errors with their files under their numbers; warnings are not counted', () => {
    const { digest, ...rest } = of('eslint/stylish')
    expect(rest).toMatchObject({ tool: 'eslint', type: 'lint', passed: false, failures: 10 })
    expect(digest.split('\n')).toEqual([
      '[LINT] 10 lint errors in 4 files:',
      "src/a.js:1:7   error    'unused' is assigned a value but never used  no-unused-vars",
      "src/a.js:2:11  error    'undefinedThing' is not defined              no-undef",
      "src/a.js:3:9   error    Expected '===' and instead saw '=='          eqeqeq",
      "src/a.js:4:1   error    Unexpected 'debugger' statement              no-debugger",
      "src/a.js:5:31  error    'doit' is not defined                        no-undef",
      '(+ 5 more errors)',
    ])
  })

  test('is read as XO prints it', () => {
    const { digest, ...rest } = of('eslint/pretty')
    expect(rest).toMatchObject({ tool: 'eslint', type: 'lint', passed: false, failures: 6 })
    expect(digest.split('\n').slice(0, 3)).toEqual([
      '[LINT] 6 lint errors in 3 files:',
      'a.js:1:5  unused is assigned a value but never used.  no-unused-vars',
      'a.js:2:5  a is not defined.                           no-undef',
    ])
  })

  test('is read the same in colours', () => {
    expect(of('eslint/stylish-colour')).toEqual(of('eslint/stylish'))
  })

  test('is read from its JSON, one long line; a silenced or quoted error does not count', () => {
    const { digest, ...rest } = of('eslint/json')
    expect(rest).toMatchObject({ tool: 'eslint', failures: 10 })
    expect(digest).toMatch(/^\[LINT\] 10 lint errors in 4 files:\nsrc\/a\.js:1:7 {2}error {2}'unused' is/)
    expect(of('eslint/passed-json')).toMatchObject({ passed: true, failures: 0 })
  })

  test('keeps its JSON together however long the line is', () => {
    const document = fixture('eslint/json').trim().slice(1, -1)
    const long = `[${Array.from({ length: 100 }, () => document).join(',')}]\n`
    expect(digestText(long)).toMatchObject({ tool: 'eslint', failures: 1000 })
  })

  test('has passed with warnings alone, unless there are too many of them', () => {
    expect(of('eslint/warnings')).toMatchObject({ passed: true, failures: 0 })
    expect(of('eslint/max-warnings').digest).toContain('ESLint found too many warnings (maximum: 0).')
    expect(digestText(fixture('eslint/passed'), { command: 'npx eslint src' })).toMatchObject({ failures: 0 })
  })

  test('reports an error in its settings', () => {
    expect(of('eslint/bad-config').digest).toContain('ESLint itself failed: A configuration object specifies rule')
    expect(of('eslint/no-files').digest).toContain('No files matching the pattern "nowhere" were found.')
  })
})

describe('oxlint', () => {
  test.each(['errors', 'colour', 'json'])('reads five errors in three files from %s', (name) => {
    const { digest, ...rest } = of(`oxlint/${name}`)
    expect(rest).toMatchObject({ tool: 'oxlint', type: 'lint', failures: 5 })
    expect(digest.split('\n').slice(0, 3)).toEqual([
      '[LINT] 5 lint errors in 3 files:',
      'src/broken.js:1:14: Unexpected token',
      "src/b.jsx:1:32: eslint(no-unused-vars): Variable 'x' is declared but never used. Unused variables should start with a '_'.",
    ])
  })

  test('counts no warnings', () => {
    expect(of('oxlint/rules')).toMatchObject({ failures: 5 })
    expect(of('oxlint/rules').digest).not.toContain('no-unused-vars')
    expect(of('oxlint/warnings')).toMatchObject({ passed: true, failures: 0 })
    expect(of('oxlint/passed')).toMatchObject({ passed: true, failures: 0 })
  })

  test('reports that it found nothing to check', () => {
    expect(of('oxlint/no-files').digest).toContain('No files found to lint.')
  })
})

describe('Biome', () => {
  test.each([
    ['check', 9],
    ['check-colour', 9],
    ['ci', 9],
    ['format', 5],
    ['lint', 4],
    ['no-files', 1],
  ])('reads the errors of %s', (name, failures) => {
    expect(of(`biome/${name}`)).toMatchObject({ tool: 'biome', type: 'lint', passed: false, failures })
  })

  test('names place, rule and reason', () => {
    expect(of('biome/lint').digest.split('\n').slice(0, 2)).toEqual([
      '[LINT] 4 lint errors in 2 files:',
      'src/a.js:3:9 lint/suspicious/noDoubleEquals: Using == may be unsafe if you are relying on type coercion.',
    ])
  })

  test('is recognised as passed', () => {
    expect(of('biome/passed')).toMatchObject({ tool: 'biome', passed: true, failures: 0 })
  })
})
