import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseExecutionId, parsePullRequestId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { PullRequest } from '@beadloom/core/review/pull-request.ts'
import type { Store } from '../../ports/store.ts'
import { demo, openTestStore, running, seededRandom, stepClock, world } from '../testing.ts'

let store: Store
let folder: string
const open = () => openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-pulls-'))
  store = open()
  world(store, ['bl-1', 'bl-2'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const commit = 'c'.repeat(40)
const idOf = (number: number) => parsePullRequestId(`pr-${String(number).padStart(10, '0')}`)
const ask = (number: number) =>
  store.askPullRequest({
    id: idOf(number),
    project: demo,
    branch: 'beadloom/work',
    base: 'main',
    from: 'a'.repeat(40),
    commit,
    title: 'bl-1: Greet',
    ownTitle: false,
    review: parseExecutionId('ex-0000000001'),
    detail: 'A review comes first.',
  })
const asked = (number: number): PullRequest => {
  const row = ask(number)
  if ('refused' in row) throw new Error(row.refused)
  return row
}
const changed = (work: () => void) => {
  const before = store.seq()
  work()
  return store.changesAfter(before, 100)?.map(({ kind, id }) => `${kind} ${id}`)
}

describe('a wish for a pull request', () => {
  test('lives once in a project; when it has ended there is room for the next one', () => {
    const first = asked(1)
    expect(ask(2)).toEqual({ refused: expect.stringContaining(first.id) })
    expect(store.livePullRequests()).toEqual([first])
    store.movePullRequest(first.id, { type: 'failed', detail: 'No.' })
    expect(store.livePullRequests()).toEqual([])
    const second = asked(2)
    expect(store.newestPullRequest(demo)?.id).toBe(second.id)
    expect(store.pullRequests(demo, 10).map(({ id }) => id)).toEqual([second.id, first.id])
    expect(store.pullRequests(demo, 10, second.askedAt).map(({ id }) => id)).toEqual([first.id])
  })

  test('is kept whole, even across a restart', () => {
    const { id } = asked(1)
    store.movePullRequest(id, { type: 'ready' })
    store.movePullRequest(id, { type: 'away', why: 'It answered 503', retryAt: 5_000_000 })
    const kept = store.pullRequest(id)
    expect(kept).toMatchObject({ state: 'opening', away: { tries: 1, nextAt: 5_000_000, why: 'It answered 503' } })
    store.close()
    store = open()
    expect(store.pullRequest(id)).toEqual(kept)
    store.movePullRequest(id, { type: 'pushed', commit })
    store.movePullRequest(id, {
      type: 'opened',
      forge: 'git.test',
      url: 'https://git.test/1',
      number: 1,
      title: 'Greet',
      existed: false,
    })
    expect(store.pullRequest(id)).toMatchObject({
      state: 'open',
      away: null,
      pushed: commit,
      number: 1,
      title: 'Greet',
    })
  })

  test('tells the board of its project about each move, and about no refused one', () => {
    const seen = changed(() => asked(1))
    expect(seen).toEqual(['project demo'])
    expect(changed(() => store.movePullRequest(idOf(1), { type: 'ready' }))).toEqual(['project demo'])
    const refused = changed(() => {
      expect(store.movePullRequest(idOf(1), { type: 'pushed', commit: 'd'.repeat(40) })).toHaveProperty('refused')
      expect(store.movePullRequest(idOf(1), { type: 'ready' })).toHaveProperty('refused')
    })
    expect(refused).toEqual([])
  })

  test('never moves again after its end', () => {
    const { id } = asked(1)
    store.movePullRequest(id, { type: 'not_ready', detail: 'No.' })
    for (const type of ['ready', 'cancel'] as const)
      expect(store.movePullRequest(id, { type })).toHaveProperty('refused')
    expect(store.pullRequest(id)?.state).toBe('not_ready')
  })

  test('goes with its project', () => {
    const { id } = asked(1)
    store.removeProject(demo)
    expect(store.pullRequest(id)).toBeNull()
  })

  test('cannot be stored open without the pushed commit, whoever writes', () => {
    const { id } = asked(1)
    store.close()
    const db = new Database(join(folder, 'beadloom.db'))
    const set = (sql: string) => () => db.prepare(`UPDATE pull_request SET ${sql} WHERE id = ?`).run(id)
    expect(set(`state = 'open', ended_at = 1, url = 'u', number = 1`)).toThrow(/CHECK/)
    expect(set(`pushed = '${'d'.repeat(40)}'`)).toThrow(/CHECK/)
    expect(set(`reviews = 4`)).toThrow(/CHECK/)
    expect(set(`ended_at = 1`)).toThrow(/CHECK/)
    db.close()
    store = open()
  })
})

describe('the checks of a commit', () => {
  const check = (id: ReturnType<typeof running>, number: number, step: number, passed: boolean) => ({
    attempt: 1,
    purpose: 'attempt' as const,
    run: number,
    step,
    session: sessionIdOf(id, number),
    name: `step ${step} of run ${number}`,
    type: 'test' as const,
    command: 'npm test',
    commit,
    passed,
    exitCode: passed ? 0 : 1,
    durationMs: 1,
    tool: 'generic',
    failures: null,
    collected: null,
    summary: '',
    digest: '',
    fingerprint: '',
    findings: [],
    verdict: null,
    at: number,
  })

  test('are the steps of the newest run in which all of them passed', () => {
    const id = running(store, 'bl-1')
    for (const number of [1, 2, 3])
      store.startSession({ id: sessionIdOf(id, number), execution: id, number, kind: 'verify', attempt: 1 })
    store.addVerifications(id, [check(id, 1, 1, true), check(id, 1, 2, false)])
    expect(store.checksOf(demo, commit)).toEqual([])
    store.addVerifications(id, [check(id, 2, 1, true), check(id, 2, 2, true)])
    expect(store.checksOf(demo, commit).map(({ name }) => name)).toEqual(['step 1 of run 2', 'step 2 of run 2'])
    expect(store.checksOf(demo, 'e'.repeat(40))).toEqual([])
  })
})
