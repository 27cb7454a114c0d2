import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentOrder, GitOrder, SessionOrder, Work } from '@beadloom/core/execution/session-order.ts'
import { parseSessionId } from '@beadloom/core/records/ids.ts'
import type { RecordBounds } from '../output/event-writer.ts'
import { systemClock } from '../process/clock.ts'
import { runSession, type Result } from '../session/run-session.ts'
import type { SessionDeps } from '../commands/session-deps.ts'
import { sessionEnv } from '../commands/session-env.ts'
import { git, TestHub } from './test-hub.ts'
import { MemoryRecord } from './memory-record.ts'
import { tempFolder } from './temp-folder.ts'

export const branch = 'beads-bl-1-add-a-thing'
export const saveRef = 'refs/beadloom/ex-0123456789/attempt-1'
const author = { name: 'Beadloom Agent', email: 'agent@example.org' }

/** A hub with a branch, a workspace and everything a session needs except the container around it. */
export type Kit = {
  hub: TestHub
  workspace: string
  /** For temporary files of the session's commands. */
  tmp: string
  base: string
  /** The record of the last session. */
  record: MemoryRecord
  order(work: Work, git?: Partial<GitOrder>): SessionOrder
  run(
    work: Work,
    options?: Partial<Omit<GitOrder, 'url' | 'branch'>> & {
      stop?: AbortSignal
      linkUrl?: string
      bounds?: RecordBounds
    },
  ): Promise<Result>
  deps(work: Work, options?: { linkUrl?: string }): SessionDeps
  git(...args: string[]): Promise<string>
}

export const workWith = (agent: AgentOrder, fresh = true): Work => ({
  kind: 'work',
  prompt: 'the prompt, with an ü\n',
  fresh,
  commitMessage: 'Bead bl-1: Add a thing',
  saveRef,
  agent,
  blockedGraceMs: 30_000,
})
export const workBy = (command: string, fresh = true): Work =>
  workWith({ name: 'command', command, model: 'some-model' }, fresh)

export async function startKit(
  files: Record<string, string> = { 'README.md': 'hello\n', '.gitignore': 'node_modules/\n' },
): Promise<Kit> {
  const hub = await TestHub.start()
  const base = await hub.commit('main', files, 'first')
  await hub.branch(branch, base)
  const root = await tempFolder()
  const workspace = join(root, 'workspace')
  await mkdir(workspace)
  const env = { PATH: process.env['PATH'], HOME: root, TMPDIR: root, GIT_CONFIG_NOSYSTEM: '1' }
  const kit: Kit = {
    hub,
    workspace,
    tmp: root,
    base,
    record: new MemoryRecord(),
    order: (work, own = {}) => ({
      session: parseSessionId('ex-0123456789.1'),
      execution: null,
      workspace,
      git: { url: hub.url, branch, commit: base, author, ...own },
      work,
    }),
    deps: (work, { linkUrl = 'http://127.0.0.1:1' } = {}) => ({
      order: kit.order(work),
      writer: kit.record.writer,
      clock: systemClock,
      env: sessionEnv(env, linkUrl, 'some-model'),
      linkUrl,
      stop: new AbortController().signal,
    }),
    async run(work, { stop, linkUrl, bounds, ...git } = {}) {
      kit.record = new MemoryRecord(bounds)
      const deps = {
        ...kit.deps(work, linkUrl === undefined ? {} : { linkUrl }),
        order: kit.order(work, git),
      }
      const result = await runSession(stop ? { ...deps, stop } : deps)
      await kit.record.writer.write({ type: 'result', ...result })
      await kit.record.writer.finish()
      return result
    },
    git: (...args) => git(workspace, ...args),
  }
  return kit
}
