import { endsAsWithWorkers } from '../../../support/lives/outages.ts';

endsAsWithWorkers('a cycle that is collected from a card');
