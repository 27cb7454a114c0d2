import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { git } from '../support/repository.ts'
import { agentOutput, ledgerOf } from './ledger-record.ts'
import { logOf, stored, type StoredExecution } from './stored.ts'
import type { Victim } from './victim.ts'

export type Findings = {
  /** Sentences about failures; none if nothing was lost. */
  lost: string[]
  /** The number of things that happened twice. */
  doubled: number
  /** Bytes of the ledgers that were compared. */
  bytes: number
  executions: StoredExecution[]
}

const PIPELINE = ['bead', 'cleanup', 'status', 'sync']

/** Checks everything that a stopped server left: the data folder, the remotes, the engine. */
export function nothingLost(victim: Victim): Findings {
  const { executions, intact } = stored(victim.data)
  const lost: string[] = []
  let bytes = 0
  if (!intact) lost.push('the database is damaged')
  for (const execution of executions) {
    const say = (what: string) => lost.push(`${execution.bead} (${execution.id}, ${execution.state}): ${what}`)
    history(execution, say)
    published(victim, execution, say)
    bytes += record(victim, execution, say)
  }
  const doubled = victim.watch.doubles()
  for (const id of doubled) lost.push(`two agents of ${id} ran at the same time`)
  leftovers(victim, lost)
  return { lost, doubled: doubled.length, bytes, executions }
}

export type Say = (what: string) => void

/** Checks that the store and its events agree, with one end. */
export function history({ seqs, states, state, steps, followUps, sessions }: StoredExecution, say: Say): void {
  if (seqs.some((seq, at) => seq !== at + 1)) say(`its events have a hole: ${seqs.join(' ')}`)
  const ends = states.filter((one) => isTerminal(one as StoredExecution['state']))
  if (ends.length !== 1 || states.at(-1) !== state) say(`its states are ${states.join(', ')}`)
  if (steps.toSorted().join() !== PIPELINE.join()) say(`its pipeline has done ${steps.join(', ')}`)
  if (followUps.length > 1) say(`it has the follow-ups ${followUps.join(', ')}`)
  for (const session of sessions)
    if (session.state !== 'ended') say(`its session ${session.number} is ${session.state}`)
}

/** Checks that COMPLETED work is on the remote. */
export function published(victim: Victim, { project, branch, commit, state }: StoredExecution, say: Say): void {
  if (state !== 'COMPLETED') return
  if (commit === null) return say('it is COMPLETED without a commit')
  for (const ref of [branch, 'beadloom/work']) {
    if (!contains(victim.remoteOf(project), ref, commit)) say(`its commit ${commit} is not in ${ref} of the remote`)
  }
}

function contains(repository: string, ref: string, commit: string): boolean {
  try {
    git(repository, 'merge-base', '--is-ancestor', commit, `refs/heads/${ref}`)
    return true
  } catch {
    return false
  }
}

/**
 * Checks that the log of the ledger's session has exactly its bytes. Returns how many there were. Failed work is on its
 * branch in the hub. Stopped work is not checked: its last byte is unknown.
 */
function record(victim: Victim, execution: StoredExecution, say: Say): number {
  const { project, bead, branch, state } = execution
  if (state !== 'COMPLETED' && state !== 'FAILED') return 0
  const [repository, at] =
    state === 'COMPLETED'
      ? [victim.remoteOf(project), execution.commit ?? '']
      : [join(victim.data, 'hub', `${project}.git`), `refs/heads/${branch}`]
  const kept = ledgerOf(repository, at, bead)
  if (kept === null) {
    if (state === 'COMPLETED') say('its ledger is not in its commit')
    return 0
  }
  const work = execution.sessions.filter(({ kind }) => kind === 'work')
  const ran = work.filter(({ outcome }) => outcome === 'success')
  if (kept.starts !== 1 || ran.length !== 1)
    say(`its agent started ${kept.starts} times, and ${ran.length} of ${work.length} sessions ended well`)
  const last = ran.at(-1)
  if (!last) return 0
  const seen = agentOutput(logOf(victim.data, execution, last.number))
  for (const stream of ['out', 'err'] as const) {
    const [a, b] = [seen[stream], kept[stream]]
    if (!a.equals(b))
      say(`standard ${stream} of its log has ${a.length} bytes and its ledger ${b.length}; ${difference(a, b)}`)
  }
  return kept.out.length + kept.err.length
}

function difference(a: Buffer, b: Buffer): string {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  const text = (bytes: Buffer) => JSON.stringify(bytes.toString('utf8', Math.max(0, at - 40), at + 60))
  return `from byte ${at} on the log has ${text(a)} where the ledger has ${text(b)}`
}

/** `gitDied`: git was killed too, which leaves the file it was writing; the hub removes it an hour later. */
export function leftovers(victim: Victim, lost: string[], { gitDied = false } = {}): void {
  const left = gitDied ? /\.lock$|\/worktrees\// : /\.lock$|\/worktrees\/|tmp_(obj|pack)_/
  const containers = victim.watch.left()
  if (containers.length > 0) lost.push(`${containers.length} containers are left`)
  const links = join(victim.data, 'link')
  if (existsSync(links)) for (const name of readdirSync(links)) lost.push(`the link folder ${name} is left`)
  const hub = join(victim.data, 'hub')
  for (const name of readdirSync(hub, { recursive: true, encoding: 'utf8' })) {
    if (left.test(name)) lost.push(`hub/${name} is left`)
  }
}
