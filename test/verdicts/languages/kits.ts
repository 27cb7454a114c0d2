import type { Language } from '../exercise.ts'
import type { LanguageKit } from '../sabotage.ts'
import { go } from './go.ts'
import { javascript } from './javascript.ts'
import { python } from './python.ts'
import { rust } from './rust.ts'

export const kits: Partial<Record<Language, LanguageKit>> = { python, go, javascript, rust }
