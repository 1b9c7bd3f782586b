import { endsAsWithWorkers } from '../../../support/lives/outages.ts';

endsAsWithWorkers('a PIX charge that is cancelled');
