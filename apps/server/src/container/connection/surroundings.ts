/** What decides where an engine is looked for, beside the files and sockets that are there. */
export type Surroundings = {
  env: Record<string, string | undefined>
  /** Null where the system has none (Windows). */
  uid: number | null
  /** What `config.json` calls the engine at `DOCKER_HOST`; absent: that is the environment's own. */
  named?: string
}

export const surroundingsOf = (env: Surroundings['env'], named?: string): Surroundings => ({
  env,
  uid: process.getuid?.() ?? null,
  ...(named !== undefined && { named }),
})
