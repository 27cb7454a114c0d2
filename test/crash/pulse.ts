import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Victim } from './victim.ts'

/** Times in milliseconds. */
export type Pulse = { requests: number; failed: number; median: number; p99: number; longest: number }

const PAUSE_MS = 20

/** Sends a server the same request again and again, one at a time, from outside, and keeps the time of each answer. */
export class ApiPulse {
  /** The server's highest observed resident memory, in millions of bytes. */
  peak = 0
  #times: number[] = []
  #failed = 0
  #over = false
  readonly #beating: Promise<void>

  constructor(victim: Pick<Victim, 'api' | 'pid'>, paths = ['/api/status', '/healthz']) {
    this.#beating = this.#beat(victim, paths)
  }

  async end(): Promise<Pulse> {
    this.#over = true
    await this.#beating
    const sorted = this.#times.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    return { requests: sorted.length, failed: this.#failed, median: at(0.5), p99: at(0.99), longest: at(1) }
  }

  async #beat(victim: Pick<Victim, 'api' | 'pid'>, paths: string[]): Promise<void> {
    for (let turn = 0; !this.#over; turn++) {
      const from = performance.now()
      await victim.api('GET', paths[turn % paths.length]!).catch(() => (this.#failed += 1))
      this.#times.push(performance.now() - from)
      this.peak = Math.max(this.peak, residentMegabytes(victim.pid))
      await delay(PAUSE_MS)
    }
  }
}

/** Resident memory as the kernel counts it, in millions of bytes. */
export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6
}
