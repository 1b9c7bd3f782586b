import { endsAsWithoutOutages } from '../../support/lives/outages.ts';

endsAsWithoutOutages('a PIX charge that is cancelled');
