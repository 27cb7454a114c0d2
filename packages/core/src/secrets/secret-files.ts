import { isInTestFolder, isTestFile } from '../files/names-of-tests.ts'

/** Files that are keys, by their names alone. */
const KEY_FILES =
  /(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|\.git-credentials|\.pgpass|[._]netrc|[^/]+\.(?:p12|pfx|ppk|kdbx|jks|keystore)|credentials\.tfrc\.json|\.aws\/credentials|\.docker\/config\.json|\.kube\/config)$/i
/** Android's debug key, which everybody has. */
const KNOWN_KEYS = /(?:^|\/)debug\.keystore$/i

/** Files of variables, except samples (`.env.example`). */
const VARIABLES = /(?:^|\/)\.env(?:\.(?:local|prod(?:uction)?|live|staging|stage|dev(?:elopment)?)(?:\.local)?)?$/i

const EXAMPLES =
  /(?:^|\/)(?:[^/]*(?:examples?|samples?|demos?|mocks?|templates?|testing|playground|tutorials?)|docs?|docs_src)\//i
const PROSE = /\.(?:md|mdx|rst|adoc|txt|ipynb|html?|snap|svg|cast|har)$/i

/** Tests and their data, or an example: keys there are mostly samples. */
export const isForShow = (path: string): boolean => isTestFile(path) || isInTestFolder(path) || EXAMPLES.test(path)

/** Text for readers, or written by a program. */
export const isProse = (path: string): boolean => PROSE.test(path)

/** Whether the file is a key by its name alone. */
export const isKeyFile = (path: string): boolean => KEY_FILES.test(path) && !KNOWN_KEYS.test(path) && !isForShow(path)

export const isVariableFile = (path: string): boolean => VARIABLES.test(path) && !isForShow(path)

/** Hashes of packages, and other people's files: no keys of the project. */
const OF_OTHERS =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[-_]party|site-packages)\/|\.min\.(?:js|css)$|\.(?:js|css)\.map$|(?:^|\/)go\.(?:sum|work\.sum)$|(?:^|\/)(?:checksums?|sha\d+sums?)(?:\.txt)?$/i

export const isReadForSecrets = (path: string): boolean => !OF_OTHERS.test(path)
