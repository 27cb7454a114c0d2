import { sgrOf } from '@beadloom/core/text/sgr.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { BLOCK_LINES } from '../ports/logs.ts'
import { readAt, withFile } from './files/file-bytes.ts'
import { entryPosition, readEntry } from './files/line-index.ts'
import type { LogPaths } from './files/log-paths.ts'
import { SideFile } from './files/side-file.ts'
import { readStyle, styleAt } from './files/style-file.ts'

export type BlockStylesDeps = {
  /** Whether the log is being written: then only its writer writes its styles. */
  live: (session: SessionId) => boolean
  report: (error: unknown) => void
}

/**
 * The style (colours and weights) with which a block of a log begins. It is noted while the log is written. An older
 * log, or one that has lost its notes, is read once from the last known style on, one log at a time.
 */
export class BlockStyles {
  readonly #deps: BlockStylesDeps
  #turn: Promise<unknown> = Promise.resolve()

  constructor(deps: BlockStylesDeps) {
    this.#deps = deps
  }

  /** SGR parameters; null: they cannot be known. */
  async of(session: SessionId, paths: LogPaths, block: number): Promise<string | null> {
    if (block === 0) return ''
    const known = await this.#noted(paths, block)
    if (known !== null || this.#deps.live(session)) return known
    const made = this.#turn.then(async () => (await this.#noted(paths, block)) ?? this.#make(paths, block))
    this.#turn = made.catch(() => undefined)
    return made.catch((error: unknown) => {
      this.#deps.report(error)
      return null
    })
  }

  async #noted(paths: LogPaths, block: number): Promise<string | null> {
    const styles = await SideFile.toRead(paths.styles)
    try {
      const style = await readStyle(styles, block)
      return style && sgrOf(style)
    } finally {
      await styles.close()
    }
  }

  async #make(paths: LogPaths, block: number): Promise<string> {
    const styles = await SideFile.toWrite(paths.styles, this.#deps.report)
    try {
      return await withFile(paths.log, (log) =>
        withFile(paths.index, async (index) => {
          const logBytes = readEntry(await readAt(index, entryPosition(block), entryPosition(1)))
          return sgrOf(await styleAt({ log, index, styles }, { logLines: block * BLOCK_LINES, logBytes }))
        }),
      )
    } finally {
      await styles.close()
    }
  }
}
