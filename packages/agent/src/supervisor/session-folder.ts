import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SessionName, SessionView } from '@beadloom/core/supervisor/session-control.ts'

const FILE = 'session.json'
/** The sandbox's user owns the file and could make it as large as the disk. */
const MOST_BYTES = 64 * 1024

/** The folders of a container's sessions on its disk: what is known of each, beside its spool. */
export class SessionFolders {
  #root: string

  constructor(root: string) {
    this.#root = root
    mkdirSync(root, { recursive: true, mode: 0o700 })
  }

  names(): string[] {
    return readdirSync(this.#root).filter((name) => SessionName.safeParse(name).success)
  }

  pathOf(session: string): string {
    return join(this.#root, session)
  }

  /** Throws when the disk has no room. */
  create(session: string): string {
    const path = this.pathOf(session)
    rmSync(path, { recursive: true, force: true }) // left by a start that failed half-way
    mkdirSync(path, { mode: 0o700 })
    return path
  }

  /** Makes this folder the session's. */
  take(session: string, folder: string): string {
    const path = this.pathOf(session)
    rmSync(path, { recursive: true, force: true }) // left by a start that failed half-way
    renameSync(folder, path)
    return path
  }

  /** Null if there is nothing readable: the container's user may have changed it. */
  read(session: string): SessionView | null {
    try {
      const text = readFileSync(join(this.pathOf(session), FILE), 'utf8')
      const parsed = SessionView.safeParse(text.length > MOST_BYTES ? null : JSON.parse(text))
      return parsed.success && parsed.data.session === session ? parsed.data : null
    } catch {
      return null
    }
  }

  /** Throws when the disk has no room; then the former state is still there. */
  write(view: SessionView): void {
    const file = join(this.pathOf(view.session), FILE)
    writeFileSync(`${file}.new`, JSON.stringify(view), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  remove(session: string): void {
    rmSync(this.pathOf(session), { recursive: true, force: true })
  }
}
