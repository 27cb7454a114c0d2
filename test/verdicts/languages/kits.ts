import type { Language } from '../exercise.ts'
import type { LanguageKit } from '../sabotage.ts'
import { cpp } from './cpp.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javascript } from './javascript.ts'
import { python } from './python.ts'
import { rust } from './rust.ts'

export const kits: Record<Language, LanguageKit> = { python, go, javascript, rust, java, cpp }
