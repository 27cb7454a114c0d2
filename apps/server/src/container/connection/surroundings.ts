/** What decides where an engine is looked for, beside the files and sockets that are there. */
export type Surroundings = {
  env: Record<string, string | undefined>
  /** Null where the system has none (Windows). */
  uid: number | null
}

export const surroundingsOf = (env: Surroundings['env']): Surroundings => ({ env, uid: process.getuid?.() ?? null })
