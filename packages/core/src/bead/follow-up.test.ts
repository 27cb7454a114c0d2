import { describe, expect, test } from 'vitest'
import type { Execution } from '../records/execution.ts'
import { failureReasons, type FailureReason } from '../records/failure/failure-reason.ts'
import { PASS_EARLY } from '../execution/failure/failing-checks.ts'
import { followUpBody, followUpIds, followUpOf, MAX_FOLLOW_UP } from './follow-up.ts'
import { parseBeadId } from '../records/ids.ts'
import { failedStep, filed, followUpFacts, sampleEnded } from '../testing/sample-follow-up.ts'

describe('every end has its follow-up', () => {
  test.each([
    [{ state: 'COMPLETED' }, null],
    [{ state: 'CANCELLED' }, null],
    [{ state: 'BLOCKED' }, 'blocked'],
    [{ state: 'TIMEOUT', reason: 'silence' }, 'timeout'],
    [{ state: 'TIMEOUT', reason: 'wall_clock' }, 'timeout'],
  ] as const)('%j: %s', (end, kind) => {
    expect(followUpOf(followUpFacts(end))?.kind ?? null).toBe(kind)
  })

  test('FAILED by its checks is about tests, in conflict about a merge, and otherwise about the execution', () => {
    const tests = new Set<FailureReason>(['tests_failed', 'verification_exhausted', 'tests_weakened', 'no_progress'])
    for (const reason of failureReasons) {
      const other = reason === 'push_conflict' ? 'merge_conflict' : 'execution_failed'
      expect(followUpOf(followUpFacts({ reason }))?.kind).toBe(tests.has(reason) ? 'tests_failing' : other)
    }
  })

  test('it has the priority of the original, leads back to it, and continues from its branch', () => {
    expect(filed({ reason: 'tests_failed' })).toMatchObject({
      title: 'Tests failing: Write a greeting',
      priority: 1,
      type: 'bug',
      labels: ['beadloom'],
      dependencies: [{ dependsOn: 'bl-4', type: 'discovered-from' }],
      baseBranch: 'beads-bl-4-write-a-greeting',
    })
  })

  test('without a branch in the hub it starts afresh, and says so', () => {
    const { baseBranch, body } = filed({ reason: 'orchestrator_restart', attempt: 0 }, { branchThere: false })
    expect(baseBranch).toBeNull()
    expect(body).toContain('There is no work yet')
    expect(body).not.toContain('beads-bl-4-write-a-greeting')
    expect(body).toContain('before its first attempt')
  })

  test('about tests that pass too early it asks for other tests, and for no fix', () => {
    const verifications = [1, 2].map((run) => failedStep(1, { exitCode: 0, summary: PASS_EARLY, run }))
    const { body } = filed({ reason: 'verification_exhausted' }, { verifications })
    expect(body).toContain('Write tests that fail without it')
    expect(body).not.toContain('does not pass its checks')
  })

  test('its title says what happened', () => {
    const title = (patch: Partial<Execution>, more: Parameters<typeof filed>[1] = {}) =>
      filed(patch, more).title.split(':')[0]
    const failing = (...patches: Parameters<typeof failedStep>[1][]) =>
      title(
        { reason: 'verification_exhausted' },
        { verifications: [1, 2].flatMap((run) => patches.map((patch) => failedStep(1, { ...patch, run }))) },
      )
    expect(failing({})).toBe('Tests failing')
    expect(failing({ type: 'lint', name: 'lint' })).toBe('Lint failing')
    expect(failing({ exitCode: 0, summary: PASS_EARLY })).toBe('New tests pass too early')
    expect(failing({ exitCode: 0, summary: 'no test ran' })).toBe('Tests failing')
    expect(failing({ summary: PASS_EARLY }, { type: 'lint' })).toBe('Checks failing')
    expect(failing({ exitCode: 127, digest: 'sh: 1: eslint: not found' })).toBe('Command not found')
    expect(title({ reason: 'push_conflict', failureKind: 'push_conflict' })).toBe('Merge conflict')
    expect(title({ reason: 'push_conflict' })).toBe('Not published')
    expect(title({ reason: 'infra_error', failureKind: 'publish_failed' })).toBe('Not published')
    expect(title({ reason: 'infra_error' })).toBe('Execution failed')
  })

  test('a follow-up for a person is marked so, and one for a fresh agent is not', () => {
    const human = (patch: Partial<Execution>) => filed(patch).labels.includes('needs-human')
    expect(human({ state: 'BLOCKED' })).toBe(true)
    expect(human({ state: 'TIMEOUT', reason: 'silence' })).toBe(true)
    expect(human({ reason: 'push_conflict' })).toBe(true)
    expect(human({ reason: 'no_progress' })).toBe(false)
    expect(human({ reason: 'infra_error' })).toBe(false)
  })
})

describe('the text', () => {
  test('of failing tests: the task first, step, command, log, branch and the newest digest', () => {
    const { body } = filed(
      { reason: 'verification_exhausted', detail: 'The tests still fail after 3 attempts.\nignored' },
      { verifications: [1, 2, 3].flatMap((attempt) => [failedStep(attempt), failedStep(attempt, { run: 2 })]) },
    )
    expect(body).toMatchInlineSnapshot(`
      "This continues bead \`bl-4\`: \`Write a greeting\`.

      ## The task

      \`\`\`text
      Say hello to people.
      \`\`\`

      ## What to do now

      The work does not pass its checks. Find the cause in the newest failure below and fix it; keep what already works. The work so far is on the branch \`beads-bl-4-write-a-greeting\`, and an execution of this bead starts there.

      ## What went wrong

      ### 2026-03-01 12:12:03 UTC: execution \`ex-abc123def4\`

      - Ended FAILED (verification_exhausted) in attempt 3 of 3, after 12 min 3 s
      - Failing step: \`test\`, \`npm test\`, exit 1, \`3 tests failed\`, on commit \`c0ffee3\`
      - Log: session \`ex-abc123def4.6\`, in the dashboard at \`/p/demo/b/bl-4?session=ex-abc123def4.6\`, or \`beadloom logs ex-abc123def4\`
      - Branch: \`beads-bl-4-write-a-greeting\`, into a clone on the server's machine: \`git fetch /hub/demo.git beads-bl-4-write-a-greeting:beads-bl-4-write-a-greeting\`

      \`\`\`text
      The tests still fail after 3 attempts.
      \`\`\`

      The digest of attempt 3:

      \`\`\`text
      The check test (npm test) failed:
      digest of attempt 3
      \`\`\`

      Earlier attempts:

      - attempt 2: \`test\`, \`2 tests failed\`
      - attempt 1: \`test\`, \`1 test failed\`"
    `)
  })

  test('for a failure that was never verified step by step has the sentence and its further lines', () => {
    const { body } = filed({
      reason: 'tests_failed',
      detail: 'The test command does not exist.\nsh: vitest: not found',
    })
    expect(body).toContain('The test command does not exist.\nsh: vitest: not found')
    expect(body).toContain('ex-abc123def4.7')
  })

  test('of a conflict: the files and both commits', () => {
    const conflict = { files: ['src/a.ts', 'src/b.ts'], ours: 'a'.repeat(40), theirs: 'b'.repeat(40) }
    const { body } = filed({ reason: 'push_conflict', detail: 'Other changes.' }, { conflict })
    expect(body).toContain('src/a.ts\nsrc/b.ts')
    expect(body).toContain(`- Work branch: \`${conflict.ours}\`\n- This work: \`${conflict.theirs}\``)
  })

  test('of an end without a verdict: the reason, the sentence, the saved ref', () => {
    const savedRef = `refs/beadloom/${sampleEnded}/left`
    const { body } = filed({ reason: 'infra_error', detail: 'The container is gone.' }, { savedRef })
    expect(body).toContain('Ended FAILED (infra_error) in attempt 3 of 3, after 12 min 3 s')
    expect(body).toContain('The container is gone.')
    expect(body).toContain(`git fetch origin ${savedRef}`)
  })

  test('of work that could not be saved, or is saved: the container and the commands', () => {
    const savedRef = `refs/beadloom/${sampleEnded}/left`
    const fetchSaved = `git fetch /hub/demo.git ${savedRef}`
    const { body } = filed({ state: 'TIMEOUT' }, { savedRef, fetchSaved, kept: ['beadloom-ex-abc123def4-work'] })
    expect(body).toContain(`\`${fetchSaved}\``)
    expect(body).toContain('`beadloom containers save beadloom-ex-abc123def4-work`')
  })

  test('of several agents side by side: each ref and container, or how many more', () => {
    const refs = [1, 2, 3, 4, 5].map((number) => `refs/beadloom/${sampleEnded}/session-${number}`)
    const said = (count: number) => {
      const others = refs.slice(1, count)
      return filed({ state: 'TIMEOUT' }, { savedRef: refs[0]!, otherRefs: others, kept: others }).body
    }
    expect(said(3)).toContain(`- More saved work, to be fetched in the same way: \`${refs[1]}\`, \`${refs[2]}\`\n`)
    expect(said(5)).toContain(`\`${refs[3]}\` and 1 more (\`git ls-remote\` has them)`)
    expect(said(5)).toContain('- and 2 more containers ("beadloom containers" lists them)')
    expect(said(3)).not.toContain('more containers')
  })

  test("of BLOCKED: the agent's own words", () => {
    expect(filed({ state: 'BLOCKED', blockedReason: 'the licence key is missing' }).body).toContain(
      '```text\nthe licence key is missing\n```',
    )
  })

  test('of a time limit: the last 20 lines, attempt and elapsed', () => {
    const tail = Array.from({ length: 30 }, (_, line) => `line ${line + 1}`)
    const { body } = filed({ state: 'TIMEOUT', reason: 'silence', attempt: 2, detail: 'Nothing came.' }, { tail })
    expect(body).toContain('Ended TIMEOUT (silence) in attempt 2 of 3, after 12 min 3 s')
    expect(body).toContain(['```text', ...tail.slice(10), '```'].join('\n'))
    expect(body).not.toContain('line 10\n')
  })

  test('of an execution that was run again says which run it was', () => {
    const { body } = filed({ reason: 'infra_error', attempt: 1, retryAttempt: 2, retryCount: 2 })
    expect(body).toContain('in attempt 1 of 3, retry 2 of 2, after')
  })

  test('lists at most ten failures, the newest first, and how many more there were', () => {
    const body = followUpBody(
      'head',
      Array.from({ length: 13 }, (_, at) => `section ${13 - at}`),
    )
    expect(body).toMatch(/^head\n\nsection 13\n\nsection 12\n/)
    expect(body).toMatch(/section 4\n\n\(3 earlier failures are not shown\.\)$/)
  })

  test('has its newest failure in any case, also where that leaves no room to mention the earlier ones', () => {
    const head = 'h'.repeat(4000)
    for (const length of [MAX_FOLLOW_UP - 4002, MAX_FOLLOW_UP - 4030, MAX_FOLLOW_UP - 4060]) {
      const newest = 'n'.repeat(length)
      const body = followUpBody(head, [newest, 'older', 'oldest'])
      expect(body.startsWith(`${head}\n\n${newest}`)).toBe(true)
      expect(body.length).toBeLessThanOrEqual(MAX_FOLLOW_UP)
    }
  })
})

test('ids have the prefix of the original and are the same for the same execution', () => {
  const first = (original: string) => followUpIds(parseBeadId(original), sampleEnded)[Symbol.iterator]().next().value
  expect(first('demo-q4z6')).toBe('demo-abc123f4')
  expect(first('my-lib-4.2')).toBe('my-lib-abc123f4')
  expect(first('plain')).toBe('plain-abc123f4')
  expect(first('gt-wisp-x1')).toBe('gt-abc123f4')
  expect(first(`b${'-long1'.repeat(21)}`)).toBe('bl-abc123f4')
  const ids = followUpIds(parseBeadId('bl-1'), sampleEnded)[Symbol.iterator]()
  expect([1, 2, 3, 4].map(() => ids.next().value)).toEqual([
    'bl-abc123f4',
    'bl-abc123def4f4',
    'bl-abc123def4f5',
    'bl-abc123def4f6',
  ])
})
