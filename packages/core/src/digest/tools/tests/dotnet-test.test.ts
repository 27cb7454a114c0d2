import { describe, expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { ranNothing } from '../../tests-run.ts'
import { fixture } from '../../testing/fixture.ts'
import { judgeBase } from '../../../environment/base/proof.ts'

const read = (text: string, exitCode = 1) => digestText(text, { command: 'dotnet test', type: 'test' }, exitCode)
const BEGINS = 'Starting test execution, please wait...\nA total of 1 test files matched the specified pattern.\n'

describe('dotnet test', () => {
  test('names failed tests, with the place in the code, and counts passed ones', () => {
    const digest = read(fixture('dotnet-test/failures'))
    expect(digest).toMatchObject({ tool: 'dotnet-test', passed: false, failures: 2, collected: 6 })
    expect(digest.tests).toMatchObject([
      {
        tool: 'dotnet-test',
        ran: 5,
        passed: 3,
        units: [],
        stopped: false,
        failed: ['Shop.Tests.CartTests.Totals(price: 2, count: 3)', 'Shop.Tests.StoreTests.Loads'],
      },
    ])
    expect(digest.digest).toContain('Expected: 6')
    expect(digest.digest).toContain('at Shop.Tests/CartTests.cs:15')
    expect(digest.digest).not.toMatch(/InvokeMethod|xUnit\.net/)
  })

  test('adds up its assemblies', () => {
    const digest = read(fixture('dotnet-test/passing'), 0)
    expect(digest).toMatchObject({ passed: true, failures: 0, collected: 17 })
    expect(digest.tests).toMatchObject([{ ran: 16, passed: 16 }])
  })

  test('names the tests that ran if it is told to', () => {
    expect(read(fixture('dotnet-test/normal')).tests).toMatchObject([
      {
        ran: 2,
        passed: 1,
        units: [
          ['Shop.Tests.CartTests.Adds', 1],
          ['Shop.Tests.CartTests.Totals(price: 2, count: 3)', 1],
        ],
      },
    ])
  })

  test('is read if Microsoft.Testing.Platform runs the tests, or the terminal logger reports them', () => {
    expect(read(fixture('dotnet-test/testing-platform'))).toMatchObject({
      tool: 'dotnet-test',
      failures: 1,
      tests: [{ ran: 3, passed: 2, failed: ['Shop.Tests.CartTests.Totals'] }],
    })
    const logged =
      '  Shop.Tests test failed with 1 error(s) (1.2s)\n    /workspace/Shop.Tests/CartTests.cs(15): error TESTERROR:\n      Shop.Tests.CartTests.Totals (7ms): Error Message: Assert.Equal() Failure\n\nTest summary: total: 4, failed: 1, succeeded: 2, skipped: 1, duration: 1.2s\n'
    expect(read(logged).tests).toMatchObject([{ ran: 3, passed: 2, failed: ['Shop.Tests.CartTests.Totals'] }])
    const both = `Passed! - Failed: 0, Passed: 2, Skipped: 0, Total: 2, Duration: 1s - A.dll (net8.0|x64)\nTest summary: total: 2, failed: 0, succeeded: 2, skipped: 0, duration: 1.2s\n`
    expect(read(both, 0).tests).toMatchObject([{ ran: 2, passed: 2 }])
  })

  test('that found no test has run none', () => {
    for (const said of [
      `${BEGINS}No test is available in /workspace/A.dll. Make sure that test discoverer & executors are registered\n`,
      `${BEGINS}No test matches the given testcase filter \`Name=a\` in /workspace/A.dll\n`,
      'Test run summary: Zero tests ran - /workspace/A.dll (net8.0|x64)\n  total: 0\n  failed: 0\n  succeeded: 0\n  skipped: 0\n',
      BEGINS,
    ]) {
      const { tests } = read(said, 0)
      expect(tests, said).toMatchObject([{ tool: 'dotnet-test', ran: 0, passed: 0 }])
      expect(ranNothing(tests)).toBe(true)
    }
  })

  test('that was cut off has failed, whatever its exit code', () => {
    const crashed = `${BEGINS}  Passed A.Adds [1 ms]\nThe active test run was aborted. Reason: Test host process crashed\n\nTest Run Aborted.\nTotal tests: Unknown\n     Passed: 1\n Total time: 1.2 Seconds\n`
    expect(read(crashed, 0)).toMatchObject({ failures: 1, tests: [{ ran: 1, passed: 1, stopped: true }] })
    expect(read(crashed, 0).digest).toContain('Test host process crashed')
    expect(read(`${BEGINS}  Passed A.Adds [1 ms]\n`, 0)).toMatchObject({ failures: 1, tests: [{ stopped: true }] })
  })

  test('a base on which one of its tests fails is red in part', () => {
    const { tests, failures, findings } = read(fixture('dotnet-test/failures'))
    const check = { name: 'test', type: 'test' as const, command: 'dotnet test', passed: false, exitCode: 1 }
    const said = { durationMs: 1, tool: 'dotnet-test', collected: 6, summary: '', digest: '', findings }
    expect(judgeBase([{ ...check, ...said, failures, tests }])).toEqual({ is: 'red' })
  })
})
