import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import type { VerifyStep } from '@beadloom/core/records/verification.ts'
import { projectId, startKit, type Kit } from '@beadloom/server/src/hub/hub-kit.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { openTestStore, running, seededRandom, stepClock, tracked } from '@beadloom/server/src/store/testing.ts'
import { saidBefore, type SaidDeps } from '@beadloom/server/src/verify/base/said-before.ts'

/* A check's result for a commit on which it did not run, from real proofs, verifications and commits. */

const random = seededRandom(3)
const settings = '{}'
const step = (name: string, paths?: string[]): VerifyStep => ({
  type: 'test',
  name,
  command: `test-${name}`,
  timeoutMs: 1000,
  ...(paths && { paths }),
})
const api = step('api', ['api'])
const web = step('web', ['web'])
const whole = step('whole')
const said = ({ name, command, type }: VerifyStep, summary: string): BaseCheck => ({
  name,
  type,
  command,
  passed: true,
  exitCode: 0,
  durationMs: 1,
  tool: 'jest',
  failures: 0,
  collected: 1,
  tests: [{ tool: 'jest', ran: 1, passed: 1, failures: 0, units: [[summary, 1]], unrun: [], stopped: false }],
  summary,
  digest: '',
  findings: [],
})

let kit: Kit
let store: Store
let folder: string
/** The first commit, in the remote and in the hub. */
let begin: string
let ofApi: string
let ofWeb: string
let ofNothing: string
const readProofs: string[] = []
let deps: SaidDeps

async function push(files: Record<string, string>): Promise<string> {
  const commit = await kit.commit(folder, files)
  await kit.hub.fetch(kit.project(folder))
  return commit
}

function proved(commit: string, checks: BaseCheck[]): void {
  const id = newExecutionId(random)
  store.beginProof({ id, project: projectId, commit, settings, baseCommit: commit })
  store.endProof(id, { is: 'green' }, checks)
}

function verified(bead: string, commit: string, checks: BaseCheck[]): void {
  const id = running(store, bead, projectId)
  const session = sessionIdOf(id, 1)
  store.startSession({ id: session, execution: id, number: 1, kind: 'verify', attempt: 1 })
  store.addVerifications(
    id,
    checks.map((check, at) => ({
      ...check,
      attempt: 1,
      purpose: 'attempt' as const,
      run: 1,
      step: at + 1,
      session,
      commit,
      fingerprint: '',
      verdict: null,
      at: at + 1,
    })),
  )
}

const asked = async (commit: string, steps: VerifyStep[], all = [api, web]) =>
  (await saidBefore(deps, { project: projectId, commit, settings }, steps, all)).map(({ summary }) => summary)

beforeAll(async () => {
  kit = await startKit()
  folder = await kit.source('lib', { 'api/a.txt': '1\n', 'web/w.txt': '1\n' })
  begin = (await kit.hub.fetch(kit.project(folder))).commit
  ofApi = await push({ 'api/a.txt': '2\n' })
  ofWeb = await push({ 'web/w.txt': '2\n' })
  ofNothing = await push({ 'readme.md': 'more\n' })
  store = openTestStore(join(kit.root, 'beadloom.db'), { clock: stepClock(), random })
  store.addProject({ id: projectId, source: folder })
  store.replaceBeads(
    projectId,
    ['bl-1', 'bl-2'].map((id) => tracked(id, { project: projectId })),
  )
  const read = store.proofChecks
  deps = {
    hub: kit.hub,
    store: Object.assign(Object.create(store) as Store, {
      proofChecks: (id: Parameters<typeof read>[0]) => {
        readProofs.push(id)
        return read(id)
      },
    }),
  }
  proved(begin, [said(api, 'api at the beginning'), said(web, 'web at the beginning'), said(whole, 'all of it')])
  verified('bl-1', ofApi, [said(api, 'api by its bead')])
  verified('bl-2', ofWeb, [said(web, 'web by its bead')])
})
afterAll(async () => {
  store.close()
  await kit.close()
})

describe('a check that did not run on a commit', () => {
  test('because nothing that it covers had changed has its former result', async () => {
    expect(await asked(ofApi, [api, web])).toEqual(['api by its bead', 'web at the beginning'])
    expect(await asked(ofWeb, [api, web])).toEqual(['api by its bead', 'web by its bead'])
  })

  test('has no result if something that it covers has changed since', async () => {
    expect(await asked(ofNothing, [api, web])).toEqual([]) // a file that belongs to no project may matter to all
    expect(await asked(ofApi, [whole], [api, web, whole])).toEqual([])
  })

  test('is looked up no further back than needed', async () => {
    readProofs.length = 0
    for (let at = 0; at < 6; at++) proved(`${at}`.repeat(40), [said(api, 'of a commit that is gone')])
    expect(await asked(begin, [api])).toEqual(['api at the beginning'])
    expect(readProofs).toHaveLength(1)
    expect(await asked(ofWeb, [web])).toEqual(['web by its bead'])
    expect(readProofs).toHaveLength(1)
  })
})
