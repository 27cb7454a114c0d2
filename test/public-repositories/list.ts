import { compiledRepositories } from './compiled-repositories.ts'
import { javascriptRepositories } from './javascript-repositories.ts'
import { otherRepositories } from './other-repositories.ts'
import type { PublicRepository } from './public-repository.ts'
import { pythonRepositories } from './python-repositories.ts'

/** All public repositories, in the order of the page. */
export const publicRepositories: readonly PublicRepository[] = [
  ...pythonRepositories,
  ...javascriptRepositories,
  ...compiledRepositories,
  ...otherRepositories,
]
