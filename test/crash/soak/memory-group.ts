import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const V1 = '/sys/fs/cgroup/memory'
const UNLIMITED = '-1'

/** A limit on the memory of a running server and its children. */
export class MemoryGroup {
  readonly #folder: string

  /** Whether the kernel offers it in a known way, and we may use it. */
  static readonly isPossible = process.getuid?.() === 0 && existsSync(join(V1, 'memory.limit_in_bytes'))

  constructor(name: string) {
    this.#folder = join(V1, name)
    mkdirSync(this.#folder, { recursive: true })
  }

  take(pid: number): void {
    writeFileSync(join(this.#folder, 'cgroup.procs'), String(pid))
  }

  /** `false`: the kernel could not reduce the memory to this. */
  limit(bytes: number | null): boolean {
    try {
      writeFileSync(join(this.#folder, 'memory.limit_in_bytes'), bytes === null ? UNLIMITED : String(bytes))
      return true
    } catch {
      return false
    }
  }

  remove(): void {
    rmdirSync(this.#folder)
  }
}
