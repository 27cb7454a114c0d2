import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** A small disk at a folder: a mounted file. It can be full, and it can freeze. Needs root. */
export class LoopDisk {
  readonly folder: string
  readonly #file: string
  #frozen = false

  /** Takes only the space of the real disk that is written to it. */
  constructor(folder: string, bytes: number) {
    this.folder = folder
    this.#file = `${folder}.disk`
    mkdirSync(folder, { recursive: true })
    closeSync(openSync(this.#file, 'w'))
    truncateSync(this.#file, bytes)
    run('mkfs.ext4', '-q', '-m', '0', '-O', '^has_journal', this.#file)
    run('mount', '-o', 'loop', this.#file, folder)
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder)
    return bavail * bsize
  }

  get #ballast(): string {
    return join(this.folder, 'ballast')
  }

  /** Fills the disk: nothing more can be written. */
  fill(): void {
    for (let bytes = this.freeBytes; bytes >= 4096; bytes = Math.min(bytes >> 1, this.freeBytes)) {
      try {
        run('fallocate', '--keep-size', '--offset', '0', '--length', String(bytes), `${this.#ballast}-${bytes}`)
      } catch {
        // a little less is enough
      }
    }
  }

  free(): void {
    run('sh', '-c', `rm -f "$0"-*`, this.#ballast)
  }

  /** Freezes the disk: writers wait, as for a disk that does not answer. */
  freeze(): void {
    run('fsfreeze', '--freeze', this.folder)
    this.#frozen = true
  }

  thaw(): void {
    if (this.#frozen) run('fsfreeze', '--unfreeze', this.folder)
    this.#frozen = false
  }

  remove(): void {
    this.thaw()
    run('umount', '--lazy', this.folder)
    rmSync(this.folder, { recursive: true, force: true })
    rmSync(this.#file, { force: true })
  }
}
