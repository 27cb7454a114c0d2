import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import type { Writable } from 'node:stream'
import { GATE } from '@beadloom/core/execution/session-order.ts'
import type { SessionStart } from '@beadloom/core/supervisor/session-control.ts'
import { sessionCommand } from './session-command.ts'

/** Open files that a session's processes write to. */
export type Writers = { stdout: number; stderr: number }

/** The first descriptor behind the standard ones. */
const GATE_AT = 3

/**
 * Starts a process in a process group and session of its own, so that it shares no terminal and no group signal.
 *
 * @param env the environment of every session; the order's variables override it
 */
export function startProcess(
  { env: own, ...order }: SessionStart,
  env: NodeJS.ProcessEnv,
  { stdout, stderr }: Writers,
): ChildProcess | Error {
  return started({ ...order, env: { ...env, ...own } }, ['ignore', stdout, stderr])
}

/** The same, but the process waits: a byte through `gate` lets it begin; if `gate` closes without one, it ends. */
export function startWaiting(
  { env: own, ...order }: SessionStart,
  env: NodeJS.ProcessEnv,
  { stdout, stderr }: Writers,
): { child: ChildProcess; gate: Writable } | Error {
  const waiting = { ...env, ...own, [GATE]: String(GATE_AT) }
  const child = started({ ...order, env: waiting }, ['ignore', stdout, stderr, 'pipe'])
  if (child instanceof Error) return child
  child.on('error', () => {}) // it has no pid then, so nobody takes it
  const gate = child.stdio?.[GATE_AT] as Writable | null | undefined
  return gate ? { child, gate } : new Error('this container may open no more files, or start no more processes')
}

function started(order: Parameters<typeof sessionCommand>[0], stdio: StdioOptions): ChildProcess | Error {
  const { env, cwd } = order
  try {
    const [program, ...args] = sessionCommand(order)
    return spawn(program, args, { cwd, env, detached: true, stdio })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error)) // a zero byte, or more than the kernel takes
  }
}
