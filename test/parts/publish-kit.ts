import { noEgress } from '../support/no-egress.ts'
import { nothingWaits } from '../support/nothing-waits.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { createAside } from '@beadloom/server/src/aside/create-aside.ts'
import { Budget } from '@beadloom/server/src/budget/budget.ts'
import { oneEngine } from '@beadloom/server/src/execution/testing.ts'
import { LentSlots } from '@beadloom/server/src/execution/lent-slots.ts'
import { News } from '@beadloom/server/src/execution/news.ts'
import { MergeTurns } from '@beadloom/server/src/execution/merge-turns.ts'
import { join } from 'node:path'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { parseBeadId, parseExecutionId } from '@beadloom/core/records/ids.ts'
import { resolveSettings } from '@beadloom/core/project/project-config.ts'
import { mergeIssues } from '@beadloom/server/src/beads/jsonl/merge-issues.ts'
import { type Kit, projectId, startKit } from '@beadloom/server/src/hub/hub-kit.ts'
import type { Engine } from '@beadloom/server/src/ports/engine.ts'
import type { Gateway } from '@beadloom/server/src/ports/gateway.ts'
import type { Hub } from '@beadloom/server/src/ports/hub.ts'
import type { Recorder } from '@beadloom/server/src/ports/recorder.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { onlyEngine } from '@beadloom/server/src/ports/testing/only-engine.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { MemoryLogs } from '@beadloom/server/src/ports/testing/memory-logs.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import type { MergeWork, RemakeLocks, VerifyMerge } from '@beadloom/server/src/publish/integrate.ts'
import type { LiveExecution } from '@beadloom/server/src/execution/live-execution.ts'
import { openTestStore, seededRandom, tracked } from '@beadloom/server/src/store/testing.ts'
import { ProjectEnvironments } from '@beadloom/server/src/sandbox/project-environment.ts'
import { Executions } from '@beadloom/server/src/workflow/executions.ts'

export const workBranch = 'beadloom/work'

/** Real git, a real store, and time by hand: everything that publishing needs except containers. */
export type PublishKit = {
  kit: Kit
  store: Store
  clock: HandClock
  /** The project's remote, bare. */
  remote: string
  base: string
  /** A bead that RUNS, with this work committed on its branch in the hub. */
  work(id: string, files: Record<string, string>): Promise<Work>
  /** A person's commit on a branch of the remote, made by another clone. */
  foreign(branch: string, files: Record<string, string>): Promise<string>
  /** The same execution, as a restarted server finds it. */
  again(work: Work, hub?: Partial<Hub>): LiveExecution
  /** Leaves these changed files in the hub, as a session on this commit does. */
  left(commit: string, files: Record<string, string>): Promise<string>
  onRemote(commit: string, branch: string): Promise<boolean>
  /** Files of a branch on the remote. */
  remoteFiles(branch: string): Promise<string[]>
  close(): Promise<void>
}

export type Work = { live: LiveExecution; branch: string; commit: string; ref: string }

/** `files`: the project's, beside its `a.txt`. */
export async function publishKit(files: Record<string, string> = {}): Promise<PublishKit> {
  const kit = await startKit({}, mergeIssues)
  const source = await kit.source('lib', { 'a.txt': 'a\n', ...files })
  const remote = join(kit.root, 'remote.git')
  await kit.git(kit.root, 'clone', '-q', '--bare', source, remote)
  const project = kit.project(remote)
  const { commit: base } = await kit.hub.fetch(project)
  await kit.hub.workTip(project, workBranch, 'main')

  const clock = new HandClock()
  const store = openTestStore(join(kit.root, 'beadloom.db'), { clock, random: seededRandom() })
  store.addProject({ id: projectId, source: remote })
  const beads = new Set<string>()
  const mergeTurns = new MergeTurns(clock)

  const context = (execution: Execution, hub: Partial<Hub>): LiveExecution => {
    const deps = {
      store,
      engines: onlyEngine({} as Engine),
      hub: { ...kit.hub, ...hub },
      gateway: {} as Gateway,
      egress: noEgress,
      // Its limits are of real time; the clock that is moved by hand is for the remote.
      aside: createAside({ clock: systemClock }),
      recorder: {} as Recorder,
      logs: new MemoryLogs(),
      clock,
      log: createLogger('silent'),
      prices: { prices: {}, currency: 'USD' },
      windows: {},
      hostedTools: {},
      blockedGraceMs: 30_000,
      budget: new Budget({ store, clock, currency: 'USD' }),
      extraSlots: oneEngine(1, store),
      lentSlots: new LentSlots(oneEngine(1, store)),
      holdNews: new News(),
      mergeTurns,
      warm: nothingWaits,
      secretMark: () => '',
      secrets: { of: () => ({}) },
    }
    const settings = resolveSettings(
      {},
      {
        setup: null,
        test: 'true',
        checks: [],
        techStack: ['x'],
        tools: [],
        devcontainer: null,
        tests: [{ label: '', command: 'true' }],
        nested: [],
        untested: null,
        absent: [],
        services: [],
      },
      'demo',
      'main',
    )
    const projects = { open: () => ({ hub: project, settings }), sync: async () => {} }
    return new Executions(deps, projects, new ProjectEnvironments(deps)).liveOf(execution)
  }
  const stored = (id: Execution['id']) => {
    const execution = store.execution(id)
    if (!execution) throw new Error(`no execution ${id}`)
    return execution
  }

  return {
    kit,
    store,
    clock,
    remote,
    base,
    work: async (id, files) => {
      const bead = parseBeadId(id)
      const branch = `beads-${id}`
      beads.add(id)
      store.replaceBeads(
        projectId,
        [...beads].map((one) => tracked(one)),
      )
      const execution = parseExecutionId(`ex-${id.replace(/[^a-z]/g, '').padEnd(10, 'a')}`)
      store.queueExecution({
        id: execution,
        project: projectId,
        bead,
        kind: 'work',
        branch,
        context: '',
        maxAttempts: 3,
      })
      store.startExecution(execution, clock.now() + 3_600_000)
      await kit.hub.ensureBranch(projectId, branch, base)
      const url = await kit.serve({ project: projectId, execution, pushable: { branch } })
      const folder = join(kit.root, `work-${id}`)
      await kit.git(kit.root, 'clone', '-q', '-b', branch, url, folder)
      const commit = await kit.commit(folder, files, `Bead ${id}: Title`)
      await kit.git(folder, 'push', '-q', 'origin', 'HEAD')
      return { live: context(stored(execution), {}), branch, commit, ref: `refs/heads/${branch}` }
    },
    foreign: async (branch, files) => {
      const folder = join(kit.root, `person-${Object.keys(files).join('-')}`)
      await kit.git(kit.root, 'clone', '-q', remote, folder)
      const there = await kit.git(folder, 'branch', '-r', '--list', `origin/${branch}`)
      await kit.git(folder, 'checkout', '-q', '-B', branch, there ? `origin/${branch}` : 'origin/main')
      const commit = await kit.commit(folder, files, 'By a person')
      await kit.git(folder, 'push', '-q', 'origin', `HEAD:refs/heads/${branch}`)
      return commit
    },
    left: async (commit, files) => {
      const execution = parseExecutionId('ex-leaves0000')
      const ref = `refs/beadloom/${execution}/session-1`
      const url = await kit.serve({ project: projectId, execution, pushable: { only: ref } })
      const folder = join(kit.root, 'left')
      await kit.git(kit.root, 'init', '-q', folder)
      await kit.git(folder, 'fetch', '-q', url, commit)
      await kit.git(folder, 'checkout', '-q', commit)
      const left = await kit.commit(folder, files, 'Left')
      await kit.git(folder, 'push', '-q', url, `HEAD:${ref}`)
      return left
    },
    again: ({ live }, hub = {}) => context(stored(live.id), hub),
    onRemote: (commit, branch) =>
      kit.git(remote, 'merge-base', '--is-ancestor', commit, branch).then(
        () => true,
        () => false,
      ),
    remoteFiles: async (branch) => (await kit.git(remote, 'ls-tree', '--name-only', branch)).split('\n'),
    close: async () => {
      store.close()
      await kit.close()
    },
  }
}

/** Passes every candidate, and remembers which. */
export function passing() {
  const asked: string[] = []
  const verify = async (candidate: string) => {
    asked.push(candidate)
    return { passed: true, digest: '' }
  }
  return { asked, verify }
}

/** By default there is no container in which the tool of a lock file could run. */
export const checkedBy = (verify: VerifyMerge, remakeLocks: RemakeLocks = async () => null): MergeWork => ({
  verify,
  remakeLocks,
})
