/** Takes things down in the reverse order of their set-up; a step that fails does not skip the others. */
export class Teardown {
  #steps: { name: string; run: () => Promise<void> | void }[] = []
  #report: (step: string, error: unknown) => void
  #running: Promise<void> | null = null

  constructor(report: (step: string, error: unknown) => void) {
    this.#report = report
  }

  add(name: string, run: () => Promise<void> | void): void {
    this.#steps.push({ name, run })
  }

  run(): Promise<void> {
    this.#running ??= this.#runAll()
    return this.#running
  }

  async #runAll(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step.run()
      } catch (error) {
        this.#report(step.name, error)
      }
    }
  }
}
