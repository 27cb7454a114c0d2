// @suite policy-long
import { everyEnd } from '../support/every-end.ts'

everyEnd('process')
