// @suite flow-long
import { everyEnd } from '../support/every-end.ts'

everyEnd('docker')
