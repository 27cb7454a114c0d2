/*
 * Texts of `beadloom.json` that would fail only later: a name that is no image for Docker, a path that leaves the
 * repository, a command that no process can get.
 */

const WORD = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*'
const HOST = '(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9a-fA-F:]+\\])(?::\\d{1,5})?'
/** Docker's grammar of references: `[HOST[:PORT]/]PATH[:TAG][@DIGEST]`. */
const IMAGE = new RegExp(
  `^(?:${HOST}/)?${WORD}(?:/${WORD})*(?::\\w[\\w.-]{0,127})?(?:@[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-fA-F]{32,128})?$`,
)

export const isImage = (text: string): boolean => IMAGE.test(text)
export const IMAGE_SAYS = 'must be the name of an image, such as "node:24" or "registry.example.org/tools/go:1.25"'

/** A file of the repository, by its path from the root. */
export const isRepositoryPath = (text: string): boolean =>
  !text.includes('\0') && !text.startsWith('/') && !text.endsWith('/') && !text.split('/').includes('..')
/** The same, or a folder, with or without a `/` at its end. */
export const isFolderPath = (text: string): boolean => isRepositoryPath(text.replace(/\/$/, ''))
export const REPOSITORY_PATH_SAYS =
  'must be the path of a file in the repository, without a leading "/" and without ".."'

/** Whether a process can get this argument: none can contain a NUL. */
export const isArgument = (text: string): boolean => !text.includes('\0')
export const ARGUMENT_SAYS = 'must not contain the character NUL'
