import { describe, expect, test } from 'vitest'
import type { Verification, VerifyStep } from '@beadloom/core/records/verification.ts'
import { parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { sampleStep } from '@beadloom/core/testing/sample-views.ts'
import type { ProofKey } from '../../ports/store/proofs.ts'
import { asBaseCheck } from '../../verify/base/said-before.ts'
import { knownChecks } from './known-checks.ts'

const key: ProofKey = { project: parseProjectId('demo'), commit: 'now', settings: 's' }
const step = (name: string, paths?: string[]): VerifyStep => ({
  type: 'test',
  name,
  command: `run ${name}`,
  timeoutMs: 1000,
  ...(paths && { paths }),
})
const row = (name: string): Verification =>
  sampleStep({ name, command: `run ${name}`, passed: true, exitCode: 0, summary: `${name} passed` })

/** The results of beads by commit, and those of the newest proof with the files in which it differs from now. */
type World = { beads: Record<string, Verification[]>; same?: string[]; proof?: Verification[]; changed?: string[] }
const known = async (verify: VerifyStep[], { beads, same = [], proof, changed = [] }: World) => {
  const id = parseExecutionId('ex-0000000001')
  const deps = {
    store: {
      verifiedCommits: () => Object.keys(beads),
      checksOf: (_: unknown, commit: string) => beads[commit] ?? [],
      proofs: () => (proof ? [{ id, commit: 'proved', settings: 's', endedAt: 1 }] : []),
      proofChecks: () => (proof ?? []).map(asBaseCheck),
    },
    hub: {
      isSameWork: async (_: unknown, one: string, other: string) => one === other || same.includes(one),
      diff: async () => changed.map((path) => ({ path, oldPath: null })),
    },
  } as unknown as Parameters<typeof knownChecks>[0]
  return (await knownChecks(deps, key, { verify }))?.map(({ name }) => name) ?? null
}
const [web, api] = [step('web', ['web']), step('api', ['api'])]

describe('the checks of a proof are known', () => {
  test('if a bead with the same work has run all of them', async () => {
    const beads = { merged: [row('web'), row('api')] }
    expect(await known([web, api], { beads, same: ['merged'] })).toEqual(['web', 'api'])
    expect(await known([web, api], { beads })).toBeNull()
  })

  test('if the ones that it left out have not changed since the newest proof', async () => {
    const world = { beads: { now: [row('web')] }, proof: [row('web'), row('api')] }
    expect(await known([web, api], { ...world, changed: ['web/a.ts'] })).toEqual(['web', 'api'])
    expect(await known([web, api], { ...world, changed: ['web/a.ts', 'api/a.ts'] })).toBeNull()
    expect(await known([web, api], { ...world, changed: ['shared.ts'] })).toBeNull()
    expect(await known([web, api], { beads: world.beads })).toBeNull()
  })

  test('not if one without paths was not run: it is for every change', async () => {
    const world = { beads: { now: [row('web')] }, proof: [row('web'), row('all')], changed: ['web/a.ts'] }
    expect(await known([web, step('all')], world)).toBeNull()
  })

  test('not by the newest proof alone: no bead has run anything on the same work', async () => {
    const proof = [row('web'), row('api')]
    expect(
      await known([web, api], { beads: { now: [row('other')] }, proof, changed: ['docs/a.md', 'web/a.ts'] }),
    ).toBeNull()
    expect(await known([web, api], { beads: {}, proof, changed: ['web/a.ts'] })).toBeNull()
  })
})
