import { isInTestFolder, isTestFile } from '../tamper/names-of-tests.ts'

/** Files that are keys, by their names alone. */
const KEY_FILES =
  /(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|\.git-credentials|\.pgpass|[._]netrc|[^/]+\.(?:p12|pfx|ppk|kdbx|jks|keystore)|credentials\.tfrc\.json|\.aws\/credentials|\.docker\/config\.json|\.kube\/config)$/i
/** Android's, which everybody has. */
const KNOWN_KEYS = /(?:^|\/)debug\.keystore$/i

/** Files of variables; those that show which ones there are (`.env.example`) are none. */
const VARIABLES = /(?:^|\/)\.env(?:\.(?:local|prod(?:uction)?|live|staging|stage|dev(?:elopment)?)(?:\.local)?)?$/i

const EXAMPLES =
  /(?:^|\/)(?:[^/]*(?:examples?|samples?|demos?|mocks?|templates?|testing|playground|tutorials?)|docs?|docs_src)\//i
const PROSE = /\.(?:md|mdx|rst|adoc|txt|ipynb|html?|snap|svg|cast|har)$/i

/** In tests and their data, or in an example: what looks like a key there was mostly made for it. */
export const isForShow = (path: string): boolean => isTestFile(path) || isInTestFolder(path) || EXAMPLES.test(path)

/** Written for readers, or by a program. */
export const isProse = (path: string): boolean => PROSE.test(path)

/** By its name alone it is a key. */
export const isKeyFile = (path: string): boolean => KEY_FILES.test(path) && !KNOWN_KEYS.test(path) && !isForShow(path)

export const isVariableFile = (path: string): boolean => VARIABLES.test(path) && !isForShow(path)

/** Hashes of packages and what others wrote: no key of the project's. */
const OF_OTHERS =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[-_]party|site-packages)\/|\.min\.(?:js|css)$|\.(?:js|css)\.map$|(?:^|\/)go\.(?:sum|work\.sum)$|(?:^|\/)(?:checksums?|sha\d+sums?)(?:\.txt)?$/i

export const isReadForSecrets = (path: string): boolean => !OF_OTHERS.test(path)
