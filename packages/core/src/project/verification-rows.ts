import { originalTestsModes } from '../verdict/original-tests.ts'
import { elsewhereModes } from '../elsewhere/elsewhere-words.ts'
import { secretModes } from '../secrets/secret-words.ts'
import type { ProjectSettingRow } from './project-setting-row.ts'

/** Settings of the verification of work. */
export const verificationRows: readonly ProjectSettingRow[] = [
  {
    key: 'verification.maxAttempts',
    section: 'retries',
    label: 'Attempts until the checks pass',
    kind: 'number',
    least: 1,
    most: 3,
    unit: '',
    of: ({ maxAttempts }) => maxAttempts,
  },
  {
    key: 'verification.redGreen',
    section: 'retries',
    label: 'Run new tests without the change',
    kind: 'boolean',
    of: ({ redGreen }) => redGreen,
  },
  {
    key: 'verification.proveBase',
    section: 'retries',
    label: 'Prove the base before anything starts',
    kind: 'boolean',
    of: ({ proveBase }) => proveBase,
  },
  {
    key: 'verification.acceptUnchecked',
    section: 'retries',
    label: 'Accept unchecked work',
    kind: 'boolean',
    of: ({ acceptUnchecked }) => acceptUnchecked,
  },
  {
    key: 'verification.secrets',
    section: 'retries',
    label: 'Work that adds what looks like a secret',
    kind: 'choice',
    choices: secretModes,
    of: ({ foundSecrets }) => foundSecrets,
  },
  {
    key: 'verification.originalTests',
    section: 'retries',
    label: 'Changed tests whose old version fails',
    kind: 'choice',
    choices: originalTestsModes,
    of: ({ originalTests }) => originalTests,
  },
  {
    key: 'verification.elsewhere',
    section: 'retries',
    label: 'Work that changes files that run elsewhere',
    kind: 'choice',
    choices: elsewhereModes,
    of: ({ elsewhere }) => elsewhere,
  },
]
