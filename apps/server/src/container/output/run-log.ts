import type { Readable } from 'node:stream'
import type { ContainerInspectInfo } from 'dockerode'
import type { DockerClient } from '../docker-client.ts'

/**
 * Docker's log of a container goes on over all its starts, so a run is found by its time. Docker notes the start when
 * the kernel has begun the program, a few milliseconds before the program can have said anything; and what the run
 * before has said is older by the whole time that a start takes (a tenth of a second and more).
 */
const BEFORE_START_NS = 20_000_000n

/**
 * What a container has said since its current or last start, with Docker's frames, each behind its time; with `follow`
 * also what it will say.
 */
export function openRunLog(client: DockerClient, info: ContainerInspectInfo, follow: boolean): Promise<Readable> {
  const path = `/containers/${info.Id}/logs`
  const query = { stdout: true, stderr: true, follow, timestamps: true, since: sinceOf(info.State.StartedAt) }
  return client.call('read the log of the container', (signal) => client.stream({ method: 'GET', path, query, signal }))
}

/** As Docker wants it: seconds with nanoseconds, since 1970. */
function sinceOf(startedAt: string): string {
  const seconds = Math.floor(Date.parse(startedAt) / 1000)
  if (!(seconds > 0)) return '0' // never started
  const fraction = /\.(\d{1,9})/.exec(startedAt)?.[1] ?? ''
  const ns = BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0')) - BEFORE_START_NS
  return `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`
}
