import { endsAsWithWorkers } from '../../../support/lives/outages.ts';

endsAsWithWorkers('a checkout that is paid by PIX');
