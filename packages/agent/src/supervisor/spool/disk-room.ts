import { statfsSync } from 'node:fs'

/** Less than one write of an ordinary program: what is written now fails or soon will. */
const FULL_BYTES = 64 * 1024
/** Higher than `FULL_BYTES`, so that a nearly full disk is not reported again and again. */
const ROOM_BYTES = 1024 * 1024

/** Watches whether the disk of a folder is full, and reports each change once. */
export class DiskRoom {
  #folder: string
  #full = false

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Null if nothing has changed, or the system does not say. */
  look(): 'disk-full' | 'disk-has-room' | null {
    const free = this.#free()
    if (free === null || (this.#full ? free < ROOM_BYTES : free >= FULL_BYTES)) return null
    this.#full = !this.#full
    return this.#full ? 'disk-full' : 'disk-has-room'
  }

  #free(): number | null {
    try {
      const { bavail, bsize } = statfsSync(this.#folder)
      return bavail * bsize
    } catch {
      return null
    }
  }
}
