import { spawn, type ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'
import { GATE } from '@beadloom/core/execution/session-order.ts'
import { sessionCommand, type Command } from './session-command.ts'

/** Open files that a session's processes write to. */
export type Writers = { stdout: number; stderr: number }

/** The first descriptor behind the standard ones. */
const GATE_AT = 3

/** A process group and session of its own, so that no terminal and no signal to a group joins it with anybody. */
export function startProcess(order: Command, { stdout, stderr }: Writers): ChildProcess | Error {
  return started(order, ['ignore', stdout, stderr])
}

/** The same, but it waits: a byte for `gate` lets it begin, the end of `gate` ends it. */
export function startWaiting(
  order: Command,
  { stdout, stderr }: Writers,
): { child: ChildProcess; gate: Writable } | Error {
  const env = { ...order.env, [GATE]: String(GATE_AT) }
  const child = started({ ...order, env }, ['ignore', stdout, stderr, 'pipe'])
  return child instanceof Error ? child : { child, gate: child.stdio[GATE_AT] as Writable }
}

function started(order: Command, stdio: ('ignore' | 'pipe' | number)[]): ChildProcess | Error {
  const { env, cwd } = order
  try {
    const [program, ...args] = sessionCommand(order)
    return spawn(program, args, { cwd, env, detached: true, stdio })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error)) // a zero byte, or more than the kernel takes
  }
}
