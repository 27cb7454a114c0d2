import { z } from 'zod/mini'

/** The engine that every server has: the one that the `docker` command would use. */
export const LOCAL_ENGINE = 'local'

/** The engine of projects that name none. `set`: what `config.json` calls it; null: nothing. */
export const usualEngineOf = (set: string | null): string => set ?? LOCAL_ENGINE

/** What projects and people call an engine of a server. */
export const engineName = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a name of lower-case letters, digits and dashes, 32 at most'))
