import { describe, expect, test } from 'vitest'
import { NOTHING_ELSEWHERE } from '../../elsewhere/elsewhere-words.ts'
import { failedStep } from '../../testing/sample-follow-up.ts'
import { calledProgram, failingTitle, programIn } from './failing-checks.ts'

describe('the reason of a failure', () => {
  test.each([
    ['tests', [failedStep(1)], 'Tests failing'],
    ['a linter', [failedStep(1, { type: 'lint', name: 'lint' })], 'Lint failing'],
    ['a build', [failedStep(1, { type: 'build' })], 'Build failing'],
    ['a check of the project', [failedStep(1, { type: 'custom', name: 'licences' })], 'Check "licences" failing'],
    ['two kinds', [failedStep(1), failedStep(1, { type: 'lint' })], 'Checks failing'],
  ])('of %s is given by its name', (_, failures, title) => {
    expect(failingTitle(failures)).toBe(title)
  })

  test('of a missing command is the program, or else its step; of our own checks it is their finding', () => {
    const missing = (digest: string) => failedStep(1, { type: 'lint', name: 'lint', exitCode: 127, digest })
    expect(failingTitle([missing('sh: 1: eslint: not found')])).toBe('Command not found: eslint')
    expect(failingTitle([missing('nothing that is known')])).toBe('Command not found: step "lint"')
    const own = failedStep(1, { type: 'custom', name: 'commit', tool: 'beadloom', summary: 'nothing was committed' })
    expect(failingTitle([own])).toBe('Nothing committed')
    const long = `changes files that run elsewhere: ${'.github/workflows/a.yml (CI runs it); '.repeat(9)}`
    const elsewhere = failedStep(1, { type: 'custom', name: NOTHING_ELSEWHERE, tool: 'beadloom', summary: long })
    expect(failingTitle([elsewhere])).toBe('Changes files that run elsewhere')
  })

  test.each([
    ['sh: 1: eslint: not found', 'eslint'],
    ['/bin/sh: 1: ./gradlew: not found', './gradlew'],
    ['check.sh: 3: ruff: not found', 'ruff'],
    ['check.sh: line 3: ruff: command not found', 'ruff'],
    ['bash: line 1: cargo: command not found', 'cargo'],
    ['sh: vitest: not found', 'vitest'],
    ['zsh: command not found: go', 'go'],
    ["/usr/bin/env: 'python': No such file or directory", 'python'],
    [
      '[BUILD] make failed at 1 target:\nmake: *** [Makefile:2: all] Error 127\n  /bin/sh: 1: rebar3: not found',
      'rebar3',
    ],
    ['[LINT] failed\n\nsh: 1: eslint: not found', 'eslint'],
    ['make: pnpm: No such file or directory\nmake: *** [Makefile:2: setup] Error 127', 'pnpm'],
    ['Error: 404: page not found', null],
  ])('%j misses %s', (digest, program) => {
    expect(programIn({ digest, summary: '' })).toBe(program)
  })

  test.each([
    ['/bin/sh: 1: pnpm: not found\nmake: *** [Makefile:2: setup] Error 127', 'pnpm'],
    ['sh: 1: yarn: not found\nCommand failed with exit code 127.', 'yarn'],
    ['sh: 1: yarn: not found, and npm takes its place', null],
    ['make: *** [Makefile:2: setup] Error 127', null],
  ])('a program that ends with its own exit code has called %j, which misses %s', (output, program) => {
    expect(calledProgram(output)).toBe(program)
  })
})
