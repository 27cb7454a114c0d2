import { describe, expect, test } from 'vitest'
import { failureOf, type AttemptFacts, type FailedCall, type FailedCheck } from './failed-attempt.ts'
import { namesOf } from './retry-condition.ts'

const facts = (changed: Partial<AttemptFacts>): AttemptFacts => ({
  ended: 'done',
  text: 'the agent finished',
  checks: [],
  calls: [],
  progress: [],
  ...changed,
})
const check = (type: FailedCheck['type'], digest: string): FailedCheck => ({
  type,
  name: type,
  command: `run-${type}`,
  digest,
  summary: digest.split('\n')[0] ?? '',
})
const bash = (command: string, result: string): FailedCall => ({
  tool: 'bash',
  arguments: JSON.stringify({ command }),
  result: `${result}\n[exit code 1]`,
})
const outOfSteps = (...calls: FailedCall[]) =>
  facts({ ended: 'steps', text: 'the agent used all of its 10 steps', calls })
const conditions = (given: AttemptFacts) => namesOf(failureOf(given)?.condition ?? 0)

const TSC = 'src/a.ts(3,5): error TS2322: Type "string" is not assignable to type "number".'

describe('the judgement of an attempt', () => {
  test('is no failure after a report of success, whatever its tools said on the way, unless a check fails', () => {
    expect(failureOf(facts({ calls: [bash('npx tsc', TSC)] }))).toBeNull()
    expect(failureOf(facts({ checks: [check('build', TSC)] }))).not.toBeNull()
  })

  test('uses the type of a check as its condition, and several add up', () => {
    expect(conditions(facts({ checks: [check('build', 'x')] }))).toEqual(['BuildErrors'])
    expect(conditions(facts({ checks: [check('lint', 'x')] }))).toEqual(['BuildErrors'])
    expect(conditions(facts({ checks: [check('test', TSC)] }))).toEqual(['TestFailures'])
    expect(conditions(facts({ checks: [check('build', 'x'), check('test', 'y')] }))).toEqual([
      'BuildErrors',
      'TestFailures',
    ])
    expect(conditions(facts({ checks: [check('custom', TSC)] }))).toEqual(['BuildErrors'])
    expect(conditions(facts({ checks: [check('custom', 'whatever')] }))).toEqual(['TestFailures'])
  })

  test('without a check is left to the printing tool, and to words only if none is known', () => {
    expect(conditions(outOfSteps())).toEqual(['MaxStepsReached'])
    expect(conditions(outOfSteps(bash('npx tsc -p .', TSC)))).toEqual(['BuildErrors', 'MaxStepsReached'])
    expect(conditions(outOfSteps(bash('node --test', 'not ok 1 - adds\n# tests 1\n# fail 1')))).toEqual([
      'TestFailures',
      'MaxStepsReached',
    ])
    expect(conditions(outOfSteps(bash('./build', 'Program.cs(7,3): error CS1002: ; expected')))).toEqual([
      'BuildErrors',
      'MaxStepsReached',
    ])
    expect(conditions(outOfSteps(bash('./check', '3 tests failed')))).toEqual(['TestFailures', 'MaxStepsReached'])
    expect(conditions(outOfSteps(bash('ls nowhere', 'No such file or directory')))).toEqual([
      'ToolErrors',
      'MaxStepsReached',
    ])
    expect(
      conditions(outOfSteps({ tool: 'edit_file', arguments: '{"path":"a"}', result: 'Error: not found' })),
    ).toEqual(['ToolErrors', 'MaxStepsReached'])
  })

  test('counts a loop as used-up steps, and a model that refuses as nothing', () => {
    expect(conditions(facts({ ended: 'circles', text: 'it kept repeating itself' }))).toEqual(['MaxStepsReached'])
    const refused = facts({ ended: 'other', text: 'the model cannot continue: no key', calls: [bash('tsc', TSC)] })
    expect(failureOf(refused)).toEqual({
      condition: 0,
      summary: 'the model cannot continue: no key',
      error: 'the model cannot continue: no key',
    })
  })
})

describe('the next attempt is told', () => {
  test('a build error with its line, a failed test with its name', () => {
    expect(failureOf(facts({ checks: [check('build', `1 build error:\n${TSC}`)] }))).toMatchObject({
      summary: 'its checks fail: build (run-build): 1 build error:',
      error: `The check build (run-build) failed:\n1 build error:\n${TSC}`,
    })
    const red = failureOf(outOfSteps(bash('node --test', 'not ok 1 - adds two numbers\n# tests 1\n# fail 1')))
    expect(red?.error).toContain('adds two numbers')
  })

  test('a failed tool by its name, with its error and the advice to use another', () => {
    const call = { tool: 'edit_file', arguments: '{"path":"a"}', result: 'Error: the old text is not there' }
    expect(failureOf(outOfSteps(call))?.error).toContain(
      'The tool edit_file failed: {"path":"a"}\nError: the old text is not there\nUse another tool',
    )
  })

  test('its progress, and to take fewer steps, if these were used up', () => {
    const { error } = failureOf({ ...outOfSteps(), progress: ['write_file a: ok', 'bash make: failed'] }) ?? {
      error: '',
    }
    expect(error).toMatch(
      /^the agent used all of its 10 steps\n\nWhat it did last:\n- write_file a: ok\n- bash make: failed\n.*take fewer steps/,
    )
  })

  test('the newest failures first, up to a limit', () => {
    const calls = Array.from({ length: 9 }, (_, at) => bash(`./step ${at}`, `nothing of ${at} ${'x'.repeat(9000)}`))
    const { error } = failureOf(outOfSteps(...calls)) ?? { error: '' }
    expect(error.indexOf('step 8')).toBeLessThan(error.indexOf('step 7'))
    expect(error).not.toContain('step 5')
    expect(error.length).toBeLessThan(6100)
  })
})
