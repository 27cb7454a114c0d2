const MOVE = /make(?:\.exe)?(?:\[(\d{1,3})\])?: (Entering|Leaving) directory ['`](.{1,500})'$/

/**
 * The folder of a make that make started: commands in it name their files from there. Unknown while several run at the
 * same time.
 */
export class MakeFolder {
  /** By level, outermost first. */
  #open: { level: number; path: string }[] = []
  #mixed = false

  line(text: string): void {
    if (!text.endsWith("'") || !text.includes(' directory ')) return
    const [, level = '0', move, path = ''] = MOVE.exec(text) ?? []
    const at = Number(level)
    if (move === 'Entering') {
      this.#mixed ||= this.#open.some((one) => one.level === at && one.path !== path)
      if (this.#open.length < 100) this.#open.push({ level: at, path })
    } else if (move === 'Leaving') {
      this.#open = this.#open.filter((one) => one.path !== path || one.level !== at)
      if (this.#open.length === 0) this.#mixed = false
    }
  }

  /** '' if it is the first make's folder, or unknown. */
  get path(): string {
    const last = this.#open.at(-1)
    if (this.#mixed || last === undefined || last.level === 0) return ''
    const first = this.#open[0]
    if (first?.level === 0 && last.path.startsWith(`${first.path}/`)) return last.path.slice(first.path.length + 1)
    return last.path
  }

  /** A file as it is named from there. */
  at(file: string): string {
    return file.startsWith('/') || this.path === '' ? file : `${this.path}/${file.replace(/^\.\//, '')}`
  }
}
