/** Everything that decides where to look for an engine, beside existing files and sockets. */
export type Surroundings = {
  env: Record<string, string | undefined>
  /** Null on systems without one (Windows). */
  uid: number | null
  /** The name in `config.json` of the engine at `DOCKER_HOST`; absent: the address is from the environment. */
  named?: string
}

export const surroundingsOf = (env: Surroundings['env'], named?: string): Surroundings => ({
  env,
  uid: process.getuid?.() ?? null,
  ...(named !== undefined && { named }),
})
