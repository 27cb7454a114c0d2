import { z } from 'zod/mini'

/** The engine that every server has, the same as for the `docker` command. */
export const LOCAL_ENGINE = 'local'

/** The engine of projects that name none. `set`: its name in `config.json`; null: not set. */
export const usualEngineOf = (set: string | null): string => set ?? LOCAL_ENGINE

/** The form of an engine's name. */
export const engineName = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a name of lower-case letters, digits and dashes, 32 at most'))
