import { randomInt } from 'node:crypto'
import type { Ulimit } from 'dockerode'
import type { LimitName } from '@beadloom/core/container-limits/effective-limits.ts'
import { limitsNothing } from '@beadloom/core/container-limits/ineffective-limits.ts'
import { EngineError } from '../../ports/engine.ts'
import type { BuildLimits } from '../../ports/engine.ts'
import { clampTo, ulimitsOf } from '../container-config.ts'
import type { DockerClient } from '../docker-client.ts'
import { isPodman, type DockerInfo } from '../engine-info.ts'
import { limitFacts } from '../limits/limit-facts.ts'

/*
 * The limits of a build's step. Docker's builder runs each step as root, with Docker's usual capabilities. It accepts
 * limits of memory and processor time, but not of processes: that one is set on a step's container when the builder
 * names it.
 */

/** For builds of our own files on a project's image, whose shell could be anything. */
export const OWN_LIMITS: BuildLimits = { cpus: 4, memoryBytes: 4 * 1024 ** 3, processes: 4096 }

const PERIOD = 100_000
const SHARED_MEMORY = 64 * 1024 ** 2
const PAGE = 4096
/** A step's container has a size of `/dev/shm` that no other one has. */
const MOST_MARKS = 4096

/** A build's limits, in the words of the request, and a mark that tells its steps from other containers. */
export class BoundedBuild {
  readonly #client: DockerClient
  readonly #limits: BuildLimits
  readonly #mark = SHARED_MEMORY + randomInt(MOST_MARKS) * PAGE

  constructor(client: DockerClient, limits: BuildLimits) {
    this.#client = client
    this.#limits = limits
  }

  /** @param slots the number of sandboxes that share the host's memory; a build has as much of it as one of them. */
  async query(slots: number | undefined): Promise<Record<string, string | number>> {
    const host = (await this.#client.call('say how large its host is', (signal) =>
      this.#client.request({ method: 'GET', path: '/info', signal }),
    )) as DockerInfo & { NCPU: number; MemTotal: number }
    const { cpus, memoryBytes } = clampTo({ cpus: host.NCPU, memoryBytes: host.MemTotal, slots }, this.#limits)
    const { unlimited, limitSource } = limitFacts(host)
    // A step with a limit that its engine cannot set does not begin.
    const can = (name: LimitName) => !limitsNothing(limitSource) && !unlimited.includes(name)
    return {
      ...(can('memory') && { memory: memoryBytes, memswap: memoryBytes }), // memory and swap together: no swap
      ...(can('cpus') && { cpuperiod: PERIOD, cpuquota: Math.round(cpus * PERIOD) }),
      shmsize: this.#mark,
      ulimits: JSON.stringify(isPodman(host) ? ulimitsOf('k8s-file').map(asWords) : ulimitsOf('local')),
    }
  }

  /**
   * Limits the processes of a step. A step may print anything, even the builder's words, so a container that is not
   * part of this build is left alone. An ended container needs no limit, and some engines can set none.
   */
  async limitProcesses(container: string): Promise<void> {
    const { processes } = this.#limits
    try {
      const step = (await this.#client.call('look at a step of a build', (signal) =>
        this.#client.request({ method: 'GET', path: `/containers/${container}/json`, signal }),
      )) as { HostConfig?: { ShmSize?: number } }
      if (step.HostConfig?.ShmSize !== this.#mark) return
      await this.#client.call('limit the processes of a build', (signal) =>
        this.#client.request({
          method: 'POST',
          path: `/containers/${container}/update`,
          body: { PidsLimit: processes },
          signal,
        }),
      )
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
    }
  }
}

/** Podman takes a build's limits only in the form of its command line; any other form gets a bare 400. */
const asWords = ({ Name, Soft, Hard }: Ulimit): string => `${Name}=${Soft}:${Hard}`
