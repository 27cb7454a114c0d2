/** One job at a time for each name, in order of arrival; jobs of different names run side by side. */
export class ProjectQueue {
  #last = new Map<string, Promise<unknown>>()

  run<T>(name: string, job: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve()
    const result = before.then(job, job) // a job that failed has told its own caller
    this.#last.set(name, result)
    const forget = () => {
      if (this.#last.get(name) === result) this.#last.delete(name)
    }
    result.then(forget, forget)
    return result
  }
}
