import { endsAsWithWorkers } from '../../../support/lives/outages.ts';

endsAsWithWorkers('a cycle whose card is declined once');
