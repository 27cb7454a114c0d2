import { beforeEach, describe, expect, test } from 'vitest'
import type { Verification, VerifyStep } from '@beadloom/core/records/verification.ts'
import { parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { sampleStep } from '@beadloom/core/testing/sample-views.ts'
import type { ProofHead, ProofKey } from '../../ports/store/proofs.ts'
import { asBaseCheck, proofsWith, saidBefore, type SaidDeps } from './said-before.ts'

const project = parseProjectId('demo')
const step = (name: string, paths?: string[]): VerifyStep => ({
  type: 'test',
  name,
  command: `run ${name}`,
  timeoutMs: 1000,
  ...(paths && { paths }),
})
const row = (name: string, patch: Partial<Verification> = {}) =>
  sampleStep({ name, command: `run ${name}`, passed: true, exitCode: 0, summary: `${name} passed`, ...patch })

/** Commits with the results on them, and the files in which they differ from `now`. */
type Commit = { proof?: Verification[]; beads?: Verification[]; changed: string[]; sameWork?: boolean }
let commits: Record<string, Commit> = {}
let asked: string[] = []
beforeEach(() => {
  commits = {}
  asked = []
})

const proofs = () =>
  Object.entries(commits).flatMap(([commit, { proof }], at) =>
    proof ? [{ id: parseExecutionId(`ex-000000000${at}`), commit, settings: 's', endedAt: 9 - at } as ProofHead] : [],
  )
const deps = {
  store: {
    proofs: () => proofs(),
    proofChecks: (id: string) => {
      const { commit } = proofs().find((one) => one.id === id)!
      asked.push(`proof of ${commit}`)
      return (commits[commit]?.proof ?? []).map(asBaseCheck)
    },
    checksOf: (_: unknown, commit: string) => {
      asked.push(`beads at ${commit}`)
      return commits[commit]?.beads ?? []
    },
    commitsPassing: (_: unknown, { name }: VerifyStep) =>
      Object.entries(commits).flatMap(([commit, { beads }]) =>
        beads?.some((one) => one.name === name && one.passed) ? [commit] : [],
      ),
  },
  hub: {
    isSameWork: async (_: unknown, one: string, other: string) => one === other || commits[one]?.sameWork === true,
    diff: async (_: unknown, one: string) =>
      (commits[one]?.changed ?? []).map((path) => ({ path, oldPath: null, status: 'M', added: 1, removed: 0 })),
  },
} as unknown as SaidDeps
const key: ProofKey = { project, commit: 'now', settings: 's' }
const said = async (steps: VerifyStep[], all = steps) =>
  (await saidBefore(deps, key, steps, all)).map(({ name, summary }) => `${name}: ${summary}`)

const [web, api] = [step('web', ['web']), step('api', ['api'])]

test('without paths every difference concerns every check', async () => {
  commits = { earlier: { proof: [row('web')], changed: ['docs/a.md'] } }
  expect(await said([step('web')])).toEqual([])
})

describe('a check is known for a commit', () => {
  test('from the proof of that very commit, before any bead', async () => {
    commits = { now: { proof: [row('web', { summary: 'proved' })], beads: [row('web')], changed: [] } }
    expect(await said([web])).toEqual(['web: proved'])
    expect(asked).toEqual(['proof of now'])
  })

  test('from a bead that was verified at that commit', async () => {
    commits = { now: { beads: [row('web')], changed: [] } }
    expect(await said([web])).toEqual(['web: web passed'])
  })

  test('from another commit, if nothing that it covers differs', async () => {
    commits = { earlier: { proof: [row('web'), row('api')], changed: ['api/a.ts'] } }
    expect(await said([web, api])).toEqual(['web: web passed'])
  })

  test('from no commit that differs in a file outside of all paths: it may concern every check', async () => {
    commits = { earlier: { proof: [row('web'), row('api')], changed: ['shared.ts'] } }
    expect(await said([web, api])).toEqual([])
  })

  test('from a commit with the same work, whatever files differ', async () => {
    commits = { earlier: { beads: [row('web'), row('api')], changed: ['web/a.ts', 'api/a.ts'], sameWork: true } }
    expect(await said([web, api])).toEqual(['web: web passed', 'api: api passed'])
  })

  test('by its name and its command: another command is another check', async () => {
    commits = { now: { proof: [row('web', { command: 'run it otherwise' })], changed: [] } }
    expect(await said([web])).toEqual([])
  })

  test('by all checks of the project: one that nobody asks about covers its own files', async () => {
    commits = { earlier: { proof: [row('web')], changed: ['api/a.ts'] } }
    expect(await said([web], [web, api])).toEqual(['web: web passed'])
    expect(await said([web], [web])).toEqual([])
  })

  test('in the order of the steps, wherever each came from', async () => {
    commits = { now: { beads: [row('api')], changed: [] }, earlier: { proof: [row('web')], changed: ['api/a.ts'] } }
    expect(await said([web, api])).toEqual(['web: web passed', 'api: api passed'])
  })
})

test("a bead's check that fails on the base, too, failed there before the work", () => {
  const check = asBaseCheck(row('web', { onBase: true, summary: 'fails on the base too: 2 tests failed' }))
  expect(check).toMatchObject({ passed: false, summary: '2 tests failed' })
  expect(asBaseCheck(row('web'))).toMatchObject({ passed: true })
})

test('proofs that run, or were made with other settings, say nothing', () => {
  const all = [
    { settings: 's', endedAt: 1 },
    { settings: 's', endedAt: null },
    { settings: 'other', endedAt: 1 },
  ] as ProofHead[]
  expect(proofsWith({ proofs: () => all } as never, { project, settings: 's' })).toEqual([all[0]])
})
