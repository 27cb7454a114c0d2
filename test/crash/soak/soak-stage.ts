import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DockerGate } from '../../support/docker-gate.ts'
import { PrivateDocker } from '../private-docker.ts'
import { instanceOf } from '../stored.ts'
import { Victim } from '../victim.ts'
import { LoopDisk } from './loop-disk.ts'
import { MemoryGroup } from './memory-group.ts'
import { Witness } from './witness.ts'

/** Twice the 2 GiB below which nothing starts. */
const DATA_BYTES = 4 * 1024 ** 3
const ENGINE_BYTES = 16 * 1024 ** 3
/** Few enough that agents never wait for the machine's memory. */
const SLOTS = 4
const AGAIN_LIMIT_MS = 120_000

/** A server with everything around it that can fail: its engine, its disks, its clock, its memory. */
export class SoakStage {
  readonly victim: Victim
  readonly witness: Witness
  readonly gate: DockerGate
  readonly memory: MemoryGroup | null
  readonly dataDisk: LoopDisk
  /** Null: the machine's own engine, which others use too. */
  readonly engine: { docker: PrivateDocker; disk: LoopDisk } | null
  /** Refused starts of a server, in its own words: a fault was active at that moment, and other tests cover it. */
  readonly refusedStarts: string[] = []
  /** Times without a log by the engine, by the machine's clock: it was away, or its disk was full. */
  readonly unlogged: { from: number; to: number }[] = []
  /** The duration of the last start: a busy machine needs more time between faults, or no work ever advances. */
  startMs = 1_000
  readonly #folder: string
  #ended: { code: number | null; stderr: string } | null = null
  /** Whether the stage has ended it, or will. */
  #expected = false

  private constructor(made: Made, victim: Victim) {
    this.victim = victim
    this.#folder = made.folder
    this.gate = made.gate
    this.dataDisk = made.dataDisk
    this.engine = made.engine
    this.memory = made.memory
    this.witness = new Witness(this.host, instanceOf(victim.data))
    this.#began()
  }

  static async open({ ownEngine }: { ownEngine: boolean }): Promise<SoakStage> {
    const folder = mkdtempSync(join(tmpdir(), 'bl-soak-'))
    const engine = ownEngine ? await engineIn(folder) : null
    const gate = new DockerGate(engine?.docker.host.slice('unix://'.length))
    await gate.open()
    const dataDisk = new LoopDisk(join(folder, 'disk'), DATA_BYTES)
    const clock = join(folder, 'clock')
    writeFileSync(clock, '0')
    const env = {
      DOCKER_HOST: gate.host,
      TEST_CLOCK_FILE: clock,
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'jumping-clock.mjs')}`,
    }
    const memory = MemoryGroup.isPossible ? new MemoryGroup(`beadloom-soak-${process.pid}`) : null
    const made: Made = { folder, engine, gate, dataDisk, memory }
    const data = join(dataDisk.folder, 'data')
    const victim = await Victim.start({ slots: SLOTS, env, data, engine: engine?.docker.host ?? MACHINE })
    return new SoakStage(made, victim)
  }

  /** The address of the engine itself, past the gate. */
  get host(): string {
    return this.engine?.docker.host ?? MACHINE
  }

  docker(...args: string[]): string {
    return execFileSync('docker', ['-H', this.host, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  }

  setClock(aheadMs: number): void {
    writeFileSync(join(this.#folder, 'clock'), String(aheadMs))
  }

  /** Announces that the server goes away. */
  expectEnd(): void {
    this.#expected = true
  }

  /** The last words of a server that went away by itself; null: it is there, or the stage took it away. */
  takeCrash(): string | null {
    if (!this.#ended || this.#expected) return null
    this.#expected = true
    return `the server ended by itself with ${this.#ended.code}: ${this.#ended.stderr.slice(-2000)}`
  }

  get isUp(): boolean {
    return this.#ended === null
  }

  async kill(): Promise<void> {
    this.expectEnd()
    await this.victim.kill()
  }

  /** Starts it again until it comes up, as a supervisor would. */
  async again(): Promise<void> {
    const from = performance.now()
    for (;;) {
      try {
        const began = performance.now()
        await this.victim.again()
        this.startMs = performance.now() - began
        return this.#began()
      } catch (error) {
        this.refusedStarts.push(String(error))
        if (performance.now() - from > AGAIN_LIMIT_MS) throw error
        await delay(500)
      }
    }
  }

  async close(): Promise<void> {
    this.expectEnd()
    await this.victim.remove().catch(() => {})
    await this.gate.shut()
    await this.engine?.docker.remove()
    this.engine?.disk.remove()
    this.dataDisk.remove()
    this.memory?.remove()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #began(): void {
    this.#ended = null
    this.#expected = false
    this.memory?.take(this.victim.pid)
    const { gone } = this.victim
    void gone.then((end) => {
      if (gone === this.victim.gone) this.#ended = end
    })
  }
}

type Made = {
  folder: string
  engine: SoakStage['engine']
  gate: DockerGate
  dataDisk: LoopDisk
  memory: MemoryGroup | null
}

const MACHINE = 'unix:///var/run/docker.sock'

async function engineIn(folder: string): Promise<NonNullable<SoakStage['engine']>> {
  const disk = new LoopDisk(join(folder, 'engine'), ENGINE_BYTES)
  const docker = await PrivateDocker.start({ liveRestore: true, data: join(disk.folder, 'docker') })
  return { docker, disk }
}
